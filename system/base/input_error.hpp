#pragma once

/// Bad input from a person: a flag out of range, a file that is missing or malformed.
///
/// It is no bug, so there is no stack trace: one line on stderr, and the whole job ends in order
/// with exit status 2. What "the whole job" means only the runtime knows; it fills in the hook.

#include <string>

namespace Grappa {

namespace detail {

constexpr int kInputErrorStatus = 2;

}  // namespace detail

/// Prints "PROGRAM: sentence" once and ends the job with exit status 2.
/// From: any task, on one core (inside run); or main (outside run), on one core or several.
[[noreturn]] void input_error(const std::string& sentence);

namespace detail {
/// Prints the line and ends the job; never returns. Filled in by runtime/. Until then, and in tests
/// of lower floors, the line is printed and the process exits.
typedef void (*InputErrorHook)(const char* line);
extern InputErrorHook input_error_hook;
}  // namespace detail

}  // namespace Grappa
