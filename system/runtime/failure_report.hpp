#pragma once

/// The text of a report, put together without memory or locks, as signal handlers must.

#include "system/tasking/worker.hpp"

#include <cstddef>

namespace Grappa {

class FailureReport {
 public:
  /// Begins with the core, if it has a number yet.
  void begin();

  /// Appends as printf does. What has no room is cut off. snprintf is not on the list of what a
  /// signal handler may call, but with these formats glibc's takes no lock and no memory.
  void add(const char* format, ...) __attribute__((format(printf, 2, 3)));

  /// Appends a line about who runs.
  void add_worker(const Worker& worker);

  /// Appends the stack of the caller, from the frame on that has failed. A recursion is told once.
  void add_stack();

  /// Writes what has been added since it last did to stderr.
  void write();

 private:
  void add_frame(void* place, const char* name);
  void add_repetitions();

  size_t length_ = 0;
  size_t written_ = 0;
  const void* last_place_ = nullptr;
  int repetitions_ = 0;
  char text_[48 * 1024];
};

}  // namespace Grappa
