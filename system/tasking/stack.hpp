#pragma once

/// Memory for the stacks of workers (docs/design.md, Stacks). The layout makes switches between
/// many stacks fast: the tops are at different cache lines. A *guarded* stack has an inaccessible
/// range below it, except for stacks beyond kGuardMappings on old kernels. *Packed* stacks are
/// adjacent on huge pages, and only the lowest of them has a guard.
///
/// A stack without a guard has a canary: its lowest cache line, to which a correct program never
/// writes, so it stays zero. If a large frame does not write to the canary, the stack pointer is
/// too low at the next switch.

#include "system/base/compiler.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

struct Stack {
  char* bottom;  // the stack grows down from top() to this address
  size_t bytes;
  char* guard;
  size_t guard_bytes;  // 0: no guard

  char* top() const { return bottom + bytes; }
  bool contains(const void* address) const { return address >= bottom && address < top(); }
  bool guarded() const { return guard_bytes != 0; }

  /// Returns true if a fault at `address` is an overflow of this stack.
  bool guards(const void* address) const {
    return address >= guard && address < guard + guard_bytes;
  }

  /// Returns true if the lowest cache line is zero: no overflow has overwritten it.
  GRAPPA_NO_ASAN static bool canary_is_alive(const char* lowest) {
    const uint64_t* words = reinterpret_cast<const uint64_t*>(lowest);
    return (words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6] |
            words[7]) == 0;
  }

  /// The maximum number of bytes in use. Zeros and non-resident pages at the low end are unused.
  size_t high_water_bytes() const;
};

/// Returns the approximate address of the end of the frame of the running function.
inline const char* stack_pointer() {
#if defined(__x86_64__)
  const char* pointer;  // the builtin would create a frame
  asm volatile("mov %%rsp, %0" : "=r"(pointer));
  return pointer;
#else
  return static_cast<const char*>(__builtin_frame_address(0));
#endif
}

enum class StackPlacement { Guarded, Packed };

class StackArea {
 public:
  /// An area for about `expected` stacks of `bytes` each, which grows on demand.
  StackArea(size_t bytes, StackPlacement placement = StackPlacement::Guarded, size_t expected = 1);
  ~StackArea();
  StackArea(const StackArea&) = delete;
  StackArea& operator=(const StackArea&) = delete;

  Stack take();

  /// Frees the pages of an unused stack that no other stack shares. They read as zeros again.
  void discard(const Stack& stack);

  size_t stack_bytes() const { return stack_bytes_; }
  size_t resident_bytes() const;

  /// Returns true if `address` is in this area. Gaps and unallocated stacks belong to the area.
  bool contains(const void* address) const;

 private:
  struct Slab {
    char* base;  // address of the first stack, or of the first guard
    char* mapped;
    size_t mapped_bytes;
  };

  void add_slab();
  bool guard(char* address);

  const StackPlacement placement_;
  const size_t stack_bytes_;
  size_t stride_bytes_ = 0;  // distance between two stacks
  size_t slab_stacks_ = 0;   // stacks per slab
  std::vector<Slab> slabs_;
  size_t taken_ = 0;
  size_t own_guard_mappings_ = 0;
};

}}  // namespace Grappa::detail
