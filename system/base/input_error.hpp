#pragma once

/// Reports of bad input, for example a flag out of range or a malformed file. Bad input is not a
/// bug: the report is one line on stderr without a stack trace.

#include <string>

namespace Grappa {

/// Prints "PROGRAM: sentence" once and terminates the job with exit status 2.
/// From: a task on one core (inside run), or main on one or several cores (outside run).
[[noreturn]] void input_error(const std::string& sentence);

namespace detail {

constexpr int kInputErrorStatus = 2;

/// Records that `flag` ("--json") names the file at `path`. If another flag names the same file and
/// the file is not a device, returns an error message; otherwise "". From: core 0.
std::string take_output_file(const std::string& flag, const std::string& path);

/// Prints the line and terminates the job; never returns. The module runtime sets the hook; without
/// a hook, input_error() prints the line and exits the process.
typedef void (*InputErrorHook)(const char* line);
extern InputErrorHook input_error_hook;

}  // namespace detail
}  // namespace Grappa
