#pragma once

/// Memory for the stacks of workers, placed so that switching between many of them is fast.
///
/// What a switch touches lies near the top of each stack. If those places were a power of two apart
/// they would share a few sets of each cache. So the tops are *coloured*: each is some cache lines
/// away from where the distance alone would put it. There are two placements (numbers in
/// docs/performance.md, measured by bench/context_switch):
/// - Guarded, for stacks of ordinary size, and for few small ones. An inaccessible range lies below
///   each one: an overflow faults at once. Old kernels cannot guard them all (kGuardMappings); the
///   rest has a canary.
/// - Packed, for many small stacks. They lie side by side on huge pages, without guards, since
///   those forbid huge pages: more of them are in reach of the processor's address translation.
/// The first of many has a guard nevertheless, since below it is memory of somebody else.
/// The canary is the lowest cache line of a stack: nobody uses it, and it stays zero, so no memory
/// has to be touched for it. A frame may be larger than what is left of the stack and write to a
/// part of itself only: then a guard faults if the code is compiled with -fstack-clash-protection,
/// and without a guard the stack pointer lies below the stack when the worker is left. Pages are
/// taken when first touched. All stacks of an area are of one size, and live as long as the area.

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

  /// One past the highest byte; the stack grows down from here.
  char* top() const { return bottom_ + bytes_; }
  char* bottom() const { return bottom_; }
  size_t bytes() const { return bytes_; }

  /// An overflow faults. If not, the canary shows it.
  bool guarded() const { return guard_bytes_ != 0; }

  /// True if `address` lies in the guard: the mark of an overflow.
  bool guards(const void* address) const {
    const char* byte = static_cast<const char*>(address);
    return byte >= guard_ && byte < guard_ + guard_bytes_;
  }

  /// False if an overflow has written over the lowest cache line.
  GRAPPA_NO_ASAN static bool canary_is_alive(const char* bottom) {
    const uint64_t* words = reinterpret_cast<const uint64_t*>(bottom);
    return (words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6] |
            words[7]) == 0;
  }

  /// The most bytes that have been in use at any time: zero is taken for untouched, and so is what
  /// is not in memory.
  size_t high_water_bytes() const;

 private:
  char* bottom_ = nullptr;
  size_t bytes_ = 0;
  char* guard_ = nullptr;
  size_t guard_bytes_ = 0;
};

/// Where the running function's frame ends, about.
inline const char* stack_pointer() {
#if defined(__x86_64__)
  const char* pointer;  // the builtin would give the function a frame
  asm volatile("mov %%rsp, %0" : "=r"(pointer));
  return pointer;
#else
  return static_cast<const char*>(__builtin_frame_address(0));
#endif
}

enum class StackPlacement { Guarded, Packed };

class StackArea {
 public:
  /// For about `expected` stacks, and for more if need be. `bytes` is what each holds.
  StackArea(size_t bytes, StackPlacement placement, size_t expected);
  ~StackArea();
  StackArea(const StackArea&) = delete;
  StackArea& operator=(const StackArea&) = delete;

  /// One more stack.
  Stack take();

  /// Gives back the memory of a stack that nobody uses, until it is used again; of a packed one,
  /// the pages that it has for itself. What is given back reads as zeros.
  void discard(const Stack& stack);

  size_t stack_bytes() const { return stack_bytes_; }

  /// True for addresses in its memory, also between stacks and on stacks not taken yet.
  bool contains(const void* address) const;

  /// Bytes of all stacks taken that lie in memory.
  size_t resident_bytes() const;

 private:
  struct Slab {
    char* base;  // of the first stack, or the first guard
    char* mapped;
    size_t mapped_bytes;
  };

  void add_slab();
  bool guard(char* address);

  const StackPlacement placement_;
  const size_t stack_bytes_;
  size_t stride_bytes_ = 0;  // from one stack to the next
  size_t slab_stacks_ = 0;   // in each slab
  std::vector<Slab> slabs_;
  size_t taken_ = 0;
  size_t own_guard_mappings_ = 0;
};

}  // namespace detail
}  // namespace Grappa
