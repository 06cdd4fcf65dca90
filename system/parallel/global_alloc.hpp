#pragma once

/// Allocates memory of the global heap.
///
/// Each core allocates small arrays, of at most 1/16 of its own part of the heap, without messages
/// (GlobalHeap::stripes_of): with the default heap, arrays of at most 64 blocks on each core. Core
/// 0 allocates the others, and also small arrays if the part of the calling core is full.

#include "system/global/heap.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

uint64_t allocate_global_bytes(size_t bytes);
void free_global(uint64_t raw_bits);
/// Sets the function with which global_free destroys each core's part of a symmetric object.
void set_symmetric_destroyer(uint64_t raw_bits, void (*destroyer)(void* object));

}  // namespace detail

/// Allocates an array of `n` uninitialised elements over all cores, which begins on core 0. If no
/// free range is large enough, the job aborts. If sizeof(T) does not divide block_size, some
/// elements lie on two cores. delegate::read and write, memcpy and caches copy such elements. A
/// delegate at such an element aborts the job, and a loop over the array does not compile. From:
/// task. Suspends: until core 0 has answered, unless this core allocates the array. Messages: 2, or
/// 0 if this core allocates the array. In checked mode, global_alloc and global_free also wait for
/// all other cores, with the messages of call_on_all_cores.
template <class T>
GlobalAddress<T> global_alloc(int64_t n) {
  const size_t count = detail::checked_count(n, "global_alloc");
  GRAPPA_CHECK(count <= (uint64_t{1} << 62) / sizeof(T))
      << "global_alloc of " << n << " elements of " << sizeof(T)
      << " bytes: exceeds the address space";
  return GlobalAddress<T>::from_raw(detail::allocate_global_bytes(count * sizeof(T)));
}

/// Frees an array, or destroys a symmetric object on every core and frees its memory. An address
/// that is not allocated aborts the job. From: task. Suspends: until the core that allocated the
/// memory has answered. If the cores must destroy an object or give back pages: until all cores
/// have done so. Messages: 2, or 0 if this core allocated the memory. If the cores have such work:
/// 2 more, and those of call_on_all_cores.
template <class T>
void global_free(GlobalAddress<T> address) {
  detail::free_global(address.raw_bits());
}

/// The bytes of the largest array that core 0 can allocate. From: task. Suspends: until core
/// 0 has answered. Messages: 2, or 0 on core 0.
size_t heap_bytes_free();

/// The size of the global heap in bytes over all cores. From: any.
size_t heap_bytes_total();

}  // namespace Grappa
