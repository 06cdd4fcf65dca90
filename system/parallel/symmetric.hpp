#pragma once

/// A symmetric object is one object on each core, at the same position in the core's part of the
/// heap. Its address is the 2D address of core 0's object; `address->member` refers to the
/// executing core's object.

#include "system/base/check.hpp"
#include "system/base/units.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <new>
#include <type_traits>

namespace Grappa {

/// Allocates `n` consecutive objects on each core. Does not construct them, and global_free does
/// not destroy them. Aborts if memory is exhausted. From: task. Suspends and messages: as
/// global_alloc.
template <class T>
GlobalAddress<T> symmetric_global_alloc(int64_t n = 1) {
  static_assert(alignof(T) <= static_cast<size_t>(block_size),
                "a symmetric object is aligned to at most 64 bytes");
  const size_t count = detail::checked_count(n, "symmetric_global_alloc");
  GRAPPA_CHECK(count <= (uint64_t{1} << 40) / sizeof(T))
      << "symmetric_global_alloc of " << n << " elements of " << sizeof(T)
      << " bytes on each core: larger than the address space";
  const size_t bytes = detail::align_up(count * sizeof(T), block_size);
  const uint64_t offset = detail::allocate_global_bytes(bytes * static_cast<size_t>(cores()));
  return make_global(reinterpret_cast<T*>(GlobalAddress<char>::from_raw(offset).pointer()), 0);
}

/// Constructs a T(args...) on every core; the arguments are sent as bytes. global_free destroys the
/// objects. From: task. Suspends: until done. Messages: the messages of on_all_cores and 4 more.
template <class T, class... Args>
GlobalAddress<T> symmetric(Args... args) {
  const GlobalAddress<T> address = symmetric_global_alloc<T>();
  T* object = address.pointer();
  on_all_cores([object, args...] { ::new (static_cast<void*>(object)) T(args...); });
  if (!std::is_trivially_destructible<T>::value) {
    detail::set_symmetric_destroyer(address.raw_bits(),
                                    [](void* place) { static_cast<T*>(place)->~T(); });
  }
  return address;
}

}  // namespace Grappa
