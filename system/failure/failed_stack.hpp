#pragma once

/// The stack of a core that has failed.
///
/// A child process finds functions and lines, because reading debug information takes memory and
/// locks that the failure may have damaged or blocked. The child may crash or hang. The report then
/// has addresses, and the names that the program's symbols give without allocation.

#include "system/failure/stack_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

class FailedStack {
 public:
  /// Finds the frames of the caller. A signal handler passes its third argument to get the frames
  /// of the interrupted code. May fault if the program has damaged the stack.
  void walk(const void* interrupted);

  /// Writes a line for each call to `text`, from the failed call outwards. Omits the calls between
  /// a check and its report, and the outermost calls that every worker has. Returns the length of
  /// the text; 0 on failure, after `most_seconds` at the latest. Omits lines that do not fit in
  /// `room`. Must be called only once.
  size_t describe(unsigned most_seconds, char* text, size_t room);

  /// Calls `visit(argument, place, name)` for each frame, from the failed one outwards. Looking up
  /// names may fault if the program has damaged memory.
  void for_each(void (*visit)(void* argument, const void* place, const char* name), void* argument);

  /// Like for_each, without names, for the frames that were neither described nor visited.
  void for_each_place(void (*visit)(void* argument, const void* place), void* argument);

 private:
  const void* place(size_t k) const { return reinterpret_cast<const void*>(addresses_[k]); }
  uintptr_t return_address(size_t k) const;
  std::string lines(size_t most_bytes) const;

  uintptr_t addresses_[kDeepestStack];
  size_t count_ = 0;
  size_t next_ = 0;  // first frame that was neither described nor visited
  bool interrupted_ = false;
};

/// Writes the location of a function to `text`, as file:line, like describe(). Returns the length
/// of the text; 0 if the location is not known.
size_t place_of_function(const void* code, unsigned most_seconds, char* text, size_t room);

/// Called once at start-up: loads everything that walk() needs in a failed process.
void prepare_failed_stack();

}  // namespace detail
}  // namespace Grappa
