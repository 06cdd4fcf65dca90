#pragma once

/// Exceptions that nobody catches.
///
/// A worker catches nothing: an exception that leaves its task finds no handler, so that the C++
/// runtime calls std::terminate where it was thrown, with the frames of the task still there to be
/// looked at.

#include <string>

namespace Grappa {
namespace detail {

/// For the handler of std::terminate: a sentence about the exception that is the cause, or about
/// its absence.
std::string uncaught_sentence();

/// The handler that a scheduler installs: a failed check with that sentence.
[[noreturn]] void check_failed_by_uncaught();

}  // namespace detail
}  // namespace Grappa
