#pragma once

/// Copying and setting whole arrays, global and local, in elements.
///
///     memcpy(dst, src, n)                 each a GlobalAddress, linear or 2D, or a pointer of this
///                                         core
///     memcpy_async<&event>(dst, src, n)   as work of a GlobalCompletionEvent
///     memset(base, value, n)              a GlobalAddress
///
/// Nothing travels element by element. What a core owns of an array is contiguous there, and what
/// it has for one other core lies at equal distances, so it goes in as many messages as it fills
/// buffers, gathered in the buffer itself. Bytes that stay on their core are copied there. Between
/// two linear arrays every owner of the source sends its part; otherwise the core of the plain side
/// does all.
///
/// Source and destination may be the same, and then nothing happens, but must not overlap
/// otherwise: the order in which parts are copied is not defined. The blocking forms return when
/// all is visible. The async ones return at once and are open work of the caller's scope; until
/// that ends, the source must not change, the destination must not be used, and pointers must stay
/// valid. From: task. Suspends: until done; memcpy_async: never; memset_async: while no message
/// buffer is free. Messages: about 2 for each other core that owns a part, and 2 for each bufferful
/// (--buffer_bytes) that goes to another core.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/live_allocations.hpp"
#include "system/global/owners.hpp"
#include "system/message/send.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/global_completion_event.hpp"
#include "system/parallel/own_elements.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace Grappa {
namespace detail {

/// Copies bytes between global addresses, given as bits. From: task. Suspends: until all are there.
void copy_bytes(uint64_t to, uint64_t from, uint64_t bytes);

template <class T, class U>
uint64_t bytes_to_copy(int64_t n) {
  static_assert(std::is_same<T, typename std::remove_const<U>::type>::value,
                "memcpy copies elements: both arrays must be of the same type");
  static_assert(
      travels<T>::value,
      "memcpy moves elements to other cores as bytes, so they must be trivially copyable");
  return checked_count(n, "memcpy") * sizeof(T);
}

/// Sets what the core that it runs on owns of an array. The value travels as bytes, so that it may
/// be aligned to more than a message can be.
template <class T>
struct FillPart {
  static_assert(
      travels<T>::value,
      "memset brings the value to other cores as bytes, so it must be trivially copyable");

  FillPart(GlobalAddress<T> its_base, int64_t its_n, const T& value) : base(its_base), n(its_n) {
    std::memcpy(bytes, &value, sizeof(T));
  }

  GlobalAddress<T> base;
  int64_t n;
  char bytes[sizeof(T)];

  void operator()() const {
    alignas(T) char aligned[sizeof(T)];
    std::memcpy(aligned, bytes, sizeof(T));
    const T* const value = reinterpret_cast<const T*>(aligned);
    own_elements(base, n).in_slices(
        [value](T* elements, int64_t count) { std::fill(elements, elements + count, *value); });
  }
};

/// Sets `n` elements as work of the current scope, this core's own in a task or at once.
template <class T>
void start_fill(const FillPart<T>& part, bool at_once) {
  static_assert(WireSafe<FillPart<T>>::value, "");
  check_allocated(part.base.raw_bits(), checked_count(part.n, "memset") * sizeof(T), "memset");
  for_each_core_of(part.base, part.n, [&part, at_once](Core owner) {
    if (owner != mycore()) {
      send_counted(owner, [part] { spawn(part); });
    } else if (at_once) {
      part();
    } else {
      spawn(part);
    }
  });
}

}  // namespace detail

template <class T, class U>
void memcpy(GlobalAddress<T> dst, GlobalAddress<U> src, int64_t n) {
  detail::copy_bytes(dst.raw_bits(), src.raw_bits(), detail::bytes_to_copy<T, U>(n));
}
template <class T>
void memcpy(GlobalAddress<T> dst, const T* src, int64_t n) {
  memcpy(dst, make_global(src), n);
}
template <class T, class U>
void memcpy(T* dst, GlobalAddress<U> src, int64_t n) {
  memcpy(make_global(dst), src, n);
}

template <class T, class U>
void memcpy_async(GlobalAddress<T> dst, GlobalAddress<U> src, int64_t n) {
  const uint64_t bytes = detail::bytes_to_copy<T, U>(n);
  const uint64_t to = dst.raw_bits(), from = src.raw_bits();
  if (bytes != 0) spawn([to, from, bytes] { detail::copy_bytes(to, from, bytes); });
}
template <class T>
void memcpy_async(GlobalAddress<T> dst, const T* src, int64_t n) {
  memcpy_async(dst, make_global(src), n);
}
template <class T, class U>
void memcpy_async(T* dst, GlobalAddress<U> src, int64_t n) {
  memcpy_async(make_global(dst), src, n);
}
template <class T>
void memcpy_async(T* dst, const T* src, int64_t n) {
  memcpy_async(make_global(dst), make_global(src), n);
}

/// The same as work of `event` instead of the caller's scope: event.wait() returns when all is
/// copied. An event that is null counts as left out. Suspends: until the event's home knows, if
/// this core has no work of the event (GlobalCompletionEvent::enroll).
template <GlobalCompletionEvent* event, class T, class U>
void memcpy_async(GlobalAddress<T> dst, GlobalAddress<U> src, int64_t n) {
  const detail::InEvent in(event);
  memcpy_async(dst, src, n);
}
template <GlobalCompletionEvent* event, class T>
void memcpy_async(GlobalAddress<T> dst, const T* src, int64_t n) {
  memcpy_async<event>(dst, make_global(src), n);
}
template <GlobalCompletionEvent* event, class T, class U>
void memcpy_async(T* dst, GlobalAddress<U> src, int64_t n) {
  memcpy_async<event>(make_global(dst), src, n);
}
template <GlobalCompletionEvent* event, class T>
void memcpy_async(T* dst, const T* src, int64_t n) {
  memcpy_async<event>(make_global(dst), make_global(src), n);
}

/// Sets `n` elements from `base` on to `value`.
template <class T, class U>
void memset(GlobalAddress<T> base, U value, int64_t n) {
  const detail::FillPart<T> part(base, n, static_cast<T>(value));
  finish([&part] { detail::start_fill(part, true); });
}
template <class T, class U>
void memset_async(GlobalAddress<T> base, U value, int64_t n) {
  detail::start_fill(detail::FillPart<T>(base, n, static_cast<T>(value)), false);
}

// There are no forms for two plain pointers: with `using namespace Grappa` they would be better
// matches than ::memcpy and ::memset for calls that count bytes in a signed number.

/// New names.
template <class T, class U>
void fill(GlobalAddress<T> base, U value, int64_t n) {
  memset(base, value, n);
}
template <class T, class U>
void copy(GlobalAddress<T> dst, GlobalAddress<U> src, int64_t n) {
  memcpy(dst, src, n);
}
template <class T>
void copy(GlobalAddress<T> dst, const T* src, int64_t n) {
  memcpy(dst, src, n);
}
template <class T, class U>
void copy(T* dst, GlobalAddress<U> src, int64_t n) {
  memcpy(dst, src, n);
}

}  // namespace Grappa
