#pragma once

/// The global heap: memory that is distributed over all cores (docs/design.md, Global memory). Core
/// 0 has the metadata. The memory at the null address is inaccessible. The kernel allocates a page
/// at the first access to the page.

#include "system/base/core_local.hpp"
#include "system/global/address.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {

namespace detail {

/// This core's part of the heap.
class GlobalHeap {
 public:
  /// Reserves `bytes_per_core` bytes, rounded down to blocks. Collective, with equal arguments.
  explicit GlobalHeap(size_t bytes_per_core);
  ~GlobalHeap();
  GlobalHeap(const GlobalHeap&) = delete;
  GlobalHeap& operator=(const GlobalHeap&) = delete;

  size_t bytes_per_core() const { return bytes_per_core_; }

  /// True if `place` is in the inaccessible range at the null global address.
  bool is_null(const void* place) const {
    return reinterpret_cast<uint64_t>(place) - kHeapBase < guard_bytes_;
  }

  /// Sets the counters of this core's resident heap bytes. Reads the page tables.
  void count_pages() const;

 private:
  size_t bytes_per_core_;
  size_t guard_bytes_;  // inaccessible bytes at the beginning of the heap
};

extern GRAPPA_CORE_LOCAL(GlobalHeap*) the_heap;  // exists between init and finalize
inline GlobalHeap& heap() { return *the_heap; }

uint64_t allocate_global_bytes(size_t bytes);
void free_global(uint64_t raw_bits);
/// Sets the function with which global_free destroys each core's part of a symmetric object.
void set_symmetric_destroyer(uint64_t raw_bits, void (*destroyer)(void* object));

}  // namespace detail

/// Allocates an array of `n` uninitialised elements over all cores. If no free range is large
/// enough, the job aborts. If sizeof(T) does not divide block_size, some elements lie on two cores.
/// delegate::read and write, memcpy and caches copy such elements. A delegate at such an element
/// aborts the job, and a loop over the array does not compile. From: task. Suspends: until core 0
/// has answered. Messages: 2, or 0 on core 0. In checked mode, global_alloc and global_free also
/// wait for all other cores, with 2 more messages for each.
template <class T>
GlobalAddress<T> global_alloc(int64_t n) {
  const size_t count = detail::checked_count(n, "global_alloc");
  GRAPPA_CHECK(count <= (uint64_t{1} << 62) / sizeof(T))
      << "global_alloc of " << n << " elements of " << sizeof(T)
      << " bytes: exceeds the address space";
  return GlobalAddress<T>::from_raw(detail::allocate_global_bytes(count * sizeof(T)));
}

/// Frees an array, or destroys a symmetric object on every core and frees its memory. An address
/// that is not allocated aborts the job. From: task. Suspends: until core 0 has answered. If the
/// cores must destroy an object or give back pages: until all cores have done so. Messages: 2, or 0
/// on core 0. If the cores have such work: 4, or 0 on core 0, and 2 for each other core.
template <class T>
void global_free(GlobalAddress<T> address) {
  detail::free_global(address.raw_bits());
}

/// The bytes of the largest array that global_alloc can allocate. From: task. Suspends: until core
/// 0 has answered. Messages: 2, or 0 on core 0.
size_t heap_bytes_free();

/// The size of the global heap in bytes over all cores. From: any.
size_t heap_bytes_total();

}  // namespace Grappa
