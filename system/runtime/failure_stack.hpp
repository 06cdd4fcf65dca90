#pragma once

/// The frames of a core that has failed.
///
/// Functions and lines are found by a child process: reading debug information takes memory and
/// locks, which the failure may have left destroyed or taken. The child has a copy of them, where
/// it may stumble or wait in vain; then there are the addresses, with what names the symbols of the
/// program give without memory.

#include "system/runtime/stack_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

class FailedStack {
 public:
  /// Finds the frames that lie below the caller, who may be the handler of a signal and then passes
  /// its third argument. May fault where the program has damaged the stack.
  void walk(const void* interrupted);

  /// Writes a line for each call, the innermost first, from the one that has failed on, to `text`:
  /// without what lies between a check and its report, and without what every worker has at the
  /// outer end. Returns their bytes; 0 if it could not be done, after `most_seconds` at the latest.
  /// Lines that do not fit in `room` are left out. To be called once.
  size_t describe(unsigned most_seconds, char* text, size_t room);

  /// Calls `visit(argument, place, name)` for each frame, from the one that has failed on. Looks
  /// for names, which may fault where the program has damaged memory.
  void for_each(void (*visit)(void* argument, const void* place, const char* name), void* argument);

  /// The same without names, for the frames that have been neither described nor visited.
  void for_each_place(void (*visit)(void* argument, const void* place), void* argument);

 private:
  const void* place(size_t k) const { return reinterpret_cast<const void*>(addresses_[k]); }
  uintptr_t return_address(size_t k) const;
  std::string lines(size_t most_bytes) const;

  uintptr_t addresses_[kDeepestStack];
  size_t count_ = 0;
  size_t next_ = 0;  // the first that is neither described nor visited
  bool interrupted_ = false;
};

/// Writes the file and line of a function to `text`, as file:line, as describe() does. Returns
/// their bytes; 0 if they are not known.
size_t place_of_function(const void* code, unsigned most_seconds, char* text, size_t room);

/// To be called once while all is well, so that nothing has to be loaded later.
void prepare_failed_stack();

}  // namespace detail
}  // namespace Grappa
