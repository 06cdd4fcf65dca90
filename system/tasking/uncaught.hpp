#pragma once

/// Reports uncaught exceptions.
///
/// A worker has no exception handler. If an exception leaves a task, the C++ runtime finds no
/// handler and calls std::terminate at the point of the throw. A debugger or a core dump then still
/// shows the frames of the task.

#include <string>

namespace Grappa {
namespace detail {

/// The text for the terminate handler: describes the current exception, or reports its absence.
std::string uncaught_sentence();

/// The terminate handler that the scheduler installs: aborts the job with uncaught_sentence().
[[noreturn]] void check_failed_by_uncaught();

}  // namespace detail
}  // namespace Grappa
