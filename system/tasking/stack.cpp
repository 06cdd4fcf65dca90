#include "system/tasking/stack.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <algorithm>

#if GRAPPA_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) static_cast<void>(0)
#endif
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(start, end) static_cast<void>(0)
#endif

namespace Grappa::detail {
namespace {

/// -fstack-clash-protection requires a guard of one page, or of 64 KiB on AArch64. Libraries that
/// are compiled without this option have frames of several pages.
constexpr size_t kGuardBytes = 64 * KiB;

/// Maximum number of guards made with mprotect, for kernels without lightweight guards. Each splits
/// a mapping. Linux allows 65,530 mappings by default; other code needs a few hundred.
constexpr size_t kGuardMappings = 30000;

/// Stacks are mapped in slabs of this size: few mappings, but small enough for a single worker.
constexpr size_t kSlabBytes = 64 * MiB;

constexpr size_t kSmallestStackBytes = 1024;  // space for a Worker and a signal frame; not measured

size_t guard_mappings = 0;  // total over all areas of this process

}  // namespace

GRAPPA_NO_ASAN size_t Stack::high_water_bytes() const {
  const char* const page = bottom - reinterpret_cast<uintptr_t>(bottom) % page_bytes();
  const char* const begin = first_resident(page, static_cast<size_t>(top() - page));
  const uint64_t* word = reinterpret_cast<const uint64_t*>(std::max<const char*>(bottom, begin));
  const uint64_t* const end = reinterpret_cast<const uint64_t*>(top());
  while (word < end && *word == 0) ++word;
  return word < end ? static_cast<size_t>(top() - reinterpret_cast<const char*>(word)) : 0;
}

StackArea::StackArea(size_t bytes, StackPlacement placement, size_t expected)
    : placement_(placement), stack_bytes_(align_up(bytes, kCacheLineBytes)) {
  GRAPPA_CHECK(bytes >= kSmallestStackBytes)
      << "a stack of " << bytes << " bytes: give " << kSmallestStackBytes << " or more";
  if (placement == StackPlacement::Packed) {
    // The distance is an odd number of cache lines, so the tops use all sets of every cache.
    stride_bytes_ = (stack_bytes_ / kCacheLineBytes | 1) * kCacheLineBytes;
  } else {
    // The distance is an odd number of pages. One page is for the varying offset of the top.
    const size_t all = kGuardBytes + align_up(stack_bytes_, page_bytes()) + page_bytes();
    stride_bytes_ = (all / page_bytes() | 1) * page_bytes();
  }
  const size_t least = placement == StackPlacement::Packed ? kHugePageBytes / stride_bytes_ : 1;
  slab_stacks_ =
      std::min(std::max<size_t>(1, kSlabBytes / stride_bytes_), std::max(least, expected));
}

StackArea::~StackArea() {
  for (const Slab& slab : slabs_) {
    ASAN_UNPOISON_MEMORY_REGION(slab.mapped, slab.mapped_bytes);  // poisoned by abandoned tasks
    unmap(slab.mapped, slab.mapped_bytes);
  }
  guard_mappings -= own_guard_mappings_;
}

bool StackArea::guard(char* address) {
  if (install_guard(address, kGuardBytes)) return true;
  if (guard_mappings >= kGuardMappings || !protect_guard(address, kGuardBytes)) return false;
  ++guard_mappings;
  ++own_guard_mappings_;
  return true;
}

void StackArea::add_slab() {
  const bool packed = placement_ == StackPlacement::Packed;
  const size_t page = packed ? kHugePageBytes : page_bytes();
  const size_t before = packed ? page : 0;  // space for the guard of the lowest stack
  Slab slab;
  slab.mapped_bytes = before + align_up(slab_stacks_ * stride_bytes_, page);
  slab.mapped = static_cast<char*>(map_private_aligned(slab.mapped_bytes, page));
  slab.base = slab.mapped + before;
  if (packed) advise_huge_pages(slab.base, slab.mapped_bytes - before);
  slabs_.push_back(slab);
}

Stack StackArea::take() {
  if (taken_ == slabs_.size() * slab_stacks_) add_slab();
  const size_t number = taken_++;
  const size_t in_slab = number % slab_stacks_;
  char* place = slabs_.back().base + in_slab * stride_bytes_;
  char* bottom = place;
  bool guarded = false;
  if (placement_ == StackPlacement::Packed) {
    place -= kGuardBytes;
    guarded = in_slab == 0 && guard(place);
  } else {
    guarded = guard(place);
    // The lowest bits of `number` select the cache sets of the page, so other bits are added.
    const size_t lines = page_bytes() / kCacheLineBytes;
    const size_t colour = (number + number / lines) % lines;
    bottom += stride_bytes_ - stack_bytes_ - colour * kCacheLineBytes;
  }
  VALGRIND_STACK_REGISTER(bottom, bottom + stack_bytes_);
  return {bottom, stack_bytes_, place, guarded ? kGuardBytes : 0};
}

void StackArea::discard(const Stack& stack) {
  GRAPPA_DCHECK(contains(stack.bottom)) << "a stack was returned to another area";
  ASAN_UNPOISON_MEMORY_REGION(stack.bottom, stack.bytes);  // poisoned by frames
  const uintptr_t bottom = reinterpret_cast<uintptr_t>(stack.bottom);
  const uintptr_t top = reinterpret_cast<uintptr_t>(stack.top());
  const uintptr_t page = page_bytes();
  const bool shares = placement_ == StackPlacement::Packed;  // shares end pages with other stacks
  const uintptr_t begin = shares ? align_up(bottom, page) : bottom / page * page;
  const uintptr_t end = shares ? top / page * page : align_up(top, page);
  if (begin < end) discard_pages(reinterpret_cast<void*>(begin), end - begin);
}

bool StackArea::contains(const void* address) const {
  return std::any_of(slabs_.begin(), slabs_.end(), [address](const Slab& slab) {
    return address >= slab.mapped && address < slab.mapped + slab.mapped_bytes;
  });
}

size_t StackArea::resident_bytes() const {
  size_t bytes = 0;
  for (const Slab& slab : slabs_) bytes += detail::resident_bytes(slab.mapped, slab.mapped_bytes);
  return bytes;
}

}  // namespace Grappa::detail
