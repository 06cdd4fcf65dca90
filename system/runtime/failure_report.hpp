#pragma once

/// The text of a report, put together without memory or locks, as signal handlers must.

#include "system/runtime/failure_stack.hpp"
#include "system/tasking/worker.hpp"

#include <cstddef>

namespace Grappa {
namespace detail {

class FailureReport {
 public:
  /// Begins with the core, if it has a number yet.
  void begin();

  /// Appends as printf does. What has no room is cut off. snprintf is not on the list of what a
  /// signal handler may call, but with these formats glibc's takes no lock and no memory.
  void add(const char* format, ...) __attribute__((format(printf, 2, 3)));

  /// Appends the file and line of a function, if they are found in so many seconds.
  void add_place(const void* code, unsigned most_seconds);

  /// Appends a line about who runs.
  void add_worker(const Worker& worker);

  /// Finds the stack of the caller, or that on which the signal handler runs whose third argument
  /// this is. May fault where the program has damaged it.
  void find_stack(const void* interrupted) { stack_.walk(interrupted); }

  /// Appends the stack that was found, from the frame on that has failed, with functions and lines.
  /// A recursion is told once. Takes `most_seconds` at most, or a moment more.
  void add_stack(unsigned most_seconds);

  /// Appends the addresses of what add_stack has not come to, after a fault in it or before it.
  void add_rest_of_stack();

  /// Writes what has been added since it last did to stderr.
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
