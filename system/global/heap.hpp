#pragma once

/// The global heap: one array of address space over all cores.
///
/// Every core reserves the same range at the same place; pages are taken when first touched. Linear
/// addresses deal it out in blocks of block_size bytes. Core 0 keeps the books: allocating and
/// freeing are delegates to it. Where the null address would lie nothing can be read or written.
///
/// What is freed is offered to the kernel, in whole huge pages, before it can be allocated again:
/// so all of memory is there for who needs it, and yet who allocates the same again finds its
/// pages.

#include "system/base/core_local.hpp"
#include "system/global/address.hpp"
#include "system/global/allocator.hpp"
#include "system/global/delegate.hpp"
#include "system/global/live_allocations.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace Grappa {

namespace detail {

class GlobalHeap {
 public:
  /// Reserves `bytes_per_core` on this core, rounded down to blocks; the same number on all cores.
  /// Called on all cores together.
  explicit GlobalHeap(size_t bytes_per_core);
  ~GlobalHeap();
  GlobalHeap(const GlobalHeap&) = delete;
  GlobalHeap& operator=(const GlobalHeap&) = delete;

  size_t bytes_per_core() const { return bytes_per_core_; }

  /// True if this is where the null global address and its neighbours would lie on a core.
  bool is_null(const void* place) const {
    return reinterpret_cast<uint64_t>(place) - kHeapBase < guard_bytes_;
  }

  // On core 0 only:
  uint64_t allocate(size_t bytes);  // a linear offset; ends the job if there is no room
  /// The allocation that begins at `offset`, which only the caller may release() from now on. Ends
  /// the job if there is none, or somebody else is about to.
  RowAllocator::Allocation begin_release(uint64_t offset);
  void release(const RowAllocator::Allocation& allocation);
  RowAllocator& books() { return *books_; }
  uint64_t row_of(uint64_t offset) const;

  /// Offers this core's pages of an allocation that is leaving to the kernel.
  void give_back(uint64_t first_row, uint64_t rows);
  /// True if that is worth asking a core for.
  static bool has_pages(uint64_t first_row, uint64_t rows);

  /// The allocated ranges; null unless all cores are in checked mode.
  LiveAllocations* live_allocations() const { return live_allocations_.get(); }

  /// Enters what this core's part takes of its memory into the counters. Reads the page tables.
  void count_pages() const;

 private:
  size_t bytes_per_core_;
  size_t guard_bytes_;                   // at the beginning, in which no rows are
  std::unique_ptr<RowAllocator> books_;  // core 0
  std::unique_ptr<LiveAllocations> live_allocations_;
};

extern GRAPPA_CORE_LOCAL(GlobalHeap*) the_heap;

uint64_t allocate_global_bytes(size_t bytes);
void free_global(uint64_t raw_bits);
/// For symmetric objects: `destroyer` is to run on every core before the memory is given back.
void set_symmetric_destroyer(uint64_t raw_bits, SymmetricDestroyer destroyer);

/// This core's part of the heap. Exists between init and finalize.
inline GlobalHeap& heap() { return *the_heap; }

}  // namespace detail

/// An array of `n` uninitialised elements over all cores. If sizeof(T) divides block_size, no
/// element lies on two cores. Otherwise elements lie one behind the other all the same, and those
/// that cross the end of a block can only be copied as a whole, by delegate::read and write, memcpy
/// and caches: a loop over the array does not compile, and a delegate at such an element aborts the
/// job. Aborts the job with the numbers if there is no room.
/// From: task. Suspends: until core 0 has answered. Messages: 2, none on core 0. In checked mode
/// global_alloc and global_free wait for all cores: 2 messages more for each other core.
template <class T>
GlobalAddress<T> global_alloc(int64_t n) {
  const size_t count = detail::checked_count(n, "global_alloc");
  GRAPPA_CHECK(count <= (uint64_t{1} << 62) / sizeof(T))
      << "global_alloc of " << n << " elements of " << sizeof(T)
      << " bytes: so much fits in no address space";
  return GlobalAddress<T>::from_raw(detail::allocate_global_bytes(count * sizeof(T)));
}

/// Frees an array or a symmetric object; a symmetric one is destroyed on every core first. Freeing
/// twice, or what was not allocated, ends the job.
/// From: task. Suspends: until core 0 has answered, and the others where there is something to
/// destroy or to give back. Messages: 2, none on core 0; or 4 and 2 for each other core.
template <class T>
void global_free(GlobalAddress<T> address) {
  detail::free_global(address.raw_bits());
}

/// Bytes over all cores that global_alloc can still give in one piece.
/// From: task. Suspends: until core 0 has answered.
size_t heap_bytes_free();

/// Bytes of the whole heap, over all cores. From: any.
size_t heap_bytes_total();

}  // namespace Grappa
