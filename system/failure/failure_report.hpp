#pragma once

/// The text of a failure report. Signal handlers can compose it: it needs no allocation, no locks.
///
/// A child process finds the functions and lines of the stack, because reading debug information
/// takes memory and locks that the failure may have damaged or blocked. The child may crash or
/// hang. The report then has addresses, and the names that the program's symbols give without
/// allocation.

#include "system/failure/stack_trace.hpp"
#include "system/tasking/worker.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

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
  void find_stack(const void* interrupted);

  /// Appends the frames of the stack, from the failed one outwards, with functions and lines. Omits
  /// the calls between a check and its report, and the outermost calls that every worker has.
  /// Repeated frames of a recursion appear once. Takes little longer than `most_seconds`. Must be
  /// called only once.
  void add_stack(unsigned most_seconds);

  /// Appends the addresses of the remaining frames after a fault in add_stack or before it.
  void add_rest_of_stack();

  /// Writes the text that was added since the last write to stderr.
  void write();

 private:
  const void* place(size_t k) const { return reinterpret_cast<const void*>(addresses_[k]); }
  uintptr_t return_address(size_t k) const;
  std::string lines(size_t most_bytes) const;
  void add_frame(const void* place, const char* name);
  void add_repetitions();

  /// Runs `make()` in a child process and appends the returned string. If the string is not
  /// complete after `most_seconds`, appends nothing and returns false.
  template <class Make>
  bool add_from_child(unsigned most_seconds, Make make);

  size_t length_ = 0;
  size_t written_ = 0;
  const void* last_place_ = nullptr;
  int repetitions_ = 0;
  uintptr_t addresses_[kDeepestStack];
  size_t count_ = 0;
  size_t next_ = 0;  // the first frame that is not in the text
  bool interrupted_ = false;
  char text_[64 * 1024];
};

}  // namespace detail
}  // namespace Grappa
