#pragma once

/// Memory for one worker's stack, with a guard below it.
///
/// Below the stack lies an inaccessible range, so that an overflow faults at once. The kernel
/// limits the number of mappings of a process; beyond that limit a stack does without
/// (kGuardedStacks).

#include <cstddef>

namespace Grappa {

class Stack {
 public:
  /// `bytes` is rounded up to pages.
  explicit Stack(size_t bytes);
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  /// One past the highest byte; the stack grows down from here.
  char* top() const { return base_ + mapped_bytes_; }
  char* bottom() const { return base_ + guard_bytes_; }
  size_t bytes() const { return mapped_bytes_ - guard_bytes_; }

  /// True if `address` lies in the guard: the mark of an overflow.
  bool guards(const void* address) const {
    const char* byte = static_cast<const char*>(address);
    return byte >= base_ && byte < base_ + guard_bytes_;
  }

 private:
  char* base_;
  size_t mapped_bytes_;
  size_t guard_bytes_;
};

}  // namespace Grappa
