#pragma once

/// Memory for the stacks of workers. The layout makes switches between many stacks fast.
///
/// A switch accesses memory near the top of a stack. Tops that are a power of two apart would share
/// a few sets of each cache. The tops are therefore *coloured*: each is shifted by some cache
/// lines. There are two layouts (docs/performance.md has numbers of bench/context_switch):
/// - Guarded, for stacks of ordinary size and for a small number of small stacks. An inaccessible
///   range below each stack makes an overflow fault at once. Old kernels cannot guard all stacks
///   (kGuardMappings); the remaining stacks have canaries.
/// - Packed, for many small stacks. The stacks are adjacent on huge pages, so the TLB covers more
///   of them. Packed stacks have no guards, because a guard prevents huge pages.
/// The lowest packed stack has a guard, because foreign memory is below it.
///
/// The canary is the lowest cache line of a stack. A correct program never writes to this line, so
/// the line stays zero and needs no initialization. A frame may be larger than the rest of the
/// stack and be written only in part. On a guarded stack, such an overflow faults if the code is
/// compiled with -fstack-clash-protection. Without a guard, the overflow is detected at the next
/// switch, because the stack pointer is below the stack. All stacks of an area have the same size
/// and exist as long as the area.

#include "system/base/compiler.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

class Stack {
 public:
  Stack() = default;
  Stack(char* bottom, size_t bytes, char* guard, size_t guard_bytes)
      : bottom_(bottom), bytes_(bytes), guard_(guard), guard_bytes_(guard_bytes) {}

  /// One past the highest byte. The stack grows down from this address.
  char* top() const { return bottom_ + bytes_; }
  char* bottom() const { return bottom_; }
  size_t bytes() const { return bytes_; }

  /// True if the stack has a guard. An overflow of a stack without a guard overwrites the canary.
  bool guarded() const { return guard_bytes_ != 0; }

  /// True if `address` is in the guard. A fault at such an address is an overflow.
  bool guards(const void* address) const {
    const char* byte = static_cast<const char*>(address);
    return byte >= guard_ && byte < guard_ + guard_bytes_;
  }

  /// False if an overflow has overwritten the lowest cache line.
  GRAPPA_NO_ASAN static bool canary_is_alive(const char* bottom) {
    const uint64_t* words = reinterpret_cast<const uint64_t*>(bottom);
    return (words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6] |
            words[7]) == 0;
  }

  /// The maximum number of bytes in use. Zeros and non-resident pages at the low end are unused.
  size_t high_water_bytes() const;

 private:
  char* bottom_ = nullptr;
  size_t bytes_ = 0;
  char* guard_ = nullptr;
  size_t guard_bytes_ = 0;
};

/// The approximate end of the frame of the running function.
inline const char* stack_pointer() {
#if defined(__x86_64__)
  const char* pointer;  // the builtin would force the compiler to create a frame
  asm volatile("mov %%rsp, %0" : "=r"(pointer));
  return pointer;
#else
  return static_cast<const char*>(__builtin_frame_address(0));
#endif
}

enum class StackPlacement { Guarded, Packed };

class StackArea {
 public:
  /// Creates an area for about `expected` stacks of `bytes` each. The area grows on demand.
  StackArea(size_t bytes, StackPlacement placement, size_t expected);
  ~StackArea();
  StackArea(const StackArea&) = delete;
  StackArea& operator=(const StackArea&) = delete;

  /// Allocates a stack.
  Stack take();

  /// Returns the memory of an unused stack to the kernel, except pages shared with other packed
  /// stacks. Returned pages read as zeros when the stack is used again.
  void discard(const Stack& stack);

  size_t stack_bytes() const { return stack_bytes_; }

  /// True if `address` is in this area, including the gaps and the stacks not yet allocated.
  bool contains(const void* address) const;

  /// Resident bytes of all allocated stacks.
  size_t resident_bytes() const;

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

}  // namespace detail
}  // namespace Grappa
