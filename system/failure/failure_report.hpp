#pragma once

/// The text of a failure report. Signal handlers can compose it: it needs no allocation, no locks.

#include "system/failure/failed_stack.hpp"
#include "system/tasking/worker.hpp"

#include <cstddef>

namespace Grappa {
namespace detail {

class FailureReport {
 public:
  /// Begins with the number of the core, if it is known yet.
  void begin();

  /// Appends text like printf. Text that does not fit is cut off. POSIX does not allow snprintf in
  /// signal handlers, but with these formats glibc's version takes no lock and allocates no memory.
  void add(const char* format, ...) __attribute__((format(printf, 2, 3)));

  /// Appends the file and line of a function, if they are found within `most_seconds`.
  void add_place(const void* code, unsigned most_seconds);

  /// Appends a line about the running worker.
  void add_worker(const Worker& worker);

  /// Finds the stack of the caller, or of the code that a signal has interrupted: `interrupted` is
  /// then the third argument of the signal handler. May fault if the program has damaged the stack.
  void find_stack(const void* interrupted) { stack_.walk(interrupted); }

  /// Appends the frames of the stack, from the failed one outwards, with functions and lines.
  /// Repeated frames of a recursion appear once. Takes little longer than `most_seconds`.
  void add_stack(unsigned most_seconds);

  /// Appends the addresses of the remaining frames after a fault in add_stack or before it.
  void add_rest_of_stack();

  /// Writes the text that was added since the last write to stderr.
  void write();

 private:
  void add_frame(const void* place, const char* name);
  void add_repetitions();

  size_t length_ = 0;
  size_t written_ = 0;
  const void* last_place_ = nullptr;
  int repetitions_ = 0;
  FailedStack stack_;
  char text_[64 * 1024];
};

}  // namespace detail
}  // namespace Grappa
