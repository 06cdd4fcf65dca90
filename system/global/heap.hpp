#pragma once

/// The memory of the global heap, which is distributed over all cores (docs/design.md, Global
/// memory). parallel/global_alloc.hpp allocates this memory. The memory at the null address is
/// inaccessible. The kernel allocates a page at the first access to the page.

#include "system/base/core_local.hpp"
#include "system/global/address.hpp"
#include "system/global/allocator.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

/// A stripe is one block on each core.
inline size_t stripe_bytes() {
  return static_cast<size_t>(block_size) * static_cast<size_t>(cores());
}

/// The stripes or bytes [begin, end).
struct HeapRange {
  uint64_t begin;
  uint64_t end;
  uint64_t size() const { return end - begin; }
};

inline void* heap_pointer(uint64_t local) { return reinterpret_cast<void*>(kHeapBase + local); }

/// This core's part of the heap.
class GlobalHeap {
 public:
  /// Reserves `bytes_per_core` bytes, rounded down to blocks. Collective, with equal arguments.
  explicit GlobalHeap(size_t bytes_per_core);
  ~GlobalHeap();
  GlobalHeap(const GlobalHeap&) = delete;
  GlobalHeap& operator=(const GlobalHeap&) = delete;

  size_t bytes_per_core() const { return bytes_per_core_; }

  /// The stripes that `core` allocates. Core 0 has at least 15/16 of all. The other cores have
  /// equal parts at the end, of at most 1,024 stripes, which may be empty.
  HeapRange stripes_of(Core core) const;
  Core core_of_stripe(uint64_t stripe) const;  // the core that allocates this stripe

  StripeAllocator& allocator() { return allocator_; }  // of this core's stripes

  /// Allocates stripes of this core. Returns their offset in the heap, or kNone on failure.
  uint64_t allocate(uint64_t stripes);
  void release(const StripeAllocator::Allocation& allocation);

  /// True if `place` is in the inaccessible range at the null global address.
  bool is_null(const void* place) const {
    return reinterpret_cast<uint64_t>(place) - kHeapBase < guard_bytes_;
  }

  /// Sets the counters of this core's resident heap bytes. Reads the page tables.
  void count_pages() const;

 private:
  size_t bytes_per_core_;
  size_t guard_bytes_;  // inaccessible bytes at the beginning of the heap
  StripeAllocator allocator_;
};

extern GRAPPA_CORE_LOCAL(GlobalHeap*) the_heap;  // exists between init and finalize
inline GlobalHeap& heap() { return *the_heap; }

/// In checked mode, every core knows the allocated ranges, in bytes.
bool checks_allocations();
void note_allocation(uint64_t offset, size_t bytes);
void note_release(uint64_t offset);

}}  // namespace Grappa::detail
