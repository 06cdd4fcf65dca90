#pragma once

/// Copies and fills whole arrays, global and local. Sizes are in elements.
///
///     memcpy(dst, src, n)      each a GlobalAddress, linear or 2D, or a pointer of this core
///     memset(base, value, n)   base: a GlobalAddress
///
/// Elements that stay on their core are copied locally. The elements for one other core travel
/// together, in messages that fill a buffer each. Between two linear arrays, every owner of the
/// source sends its part. Otherwise the core of the 2D address or pointer does all the work.
///
/// If source and destination are the same, nothing happens. Otherwise they must not overlap. The
/// blocking forms return when all elements are visible. The async forms are open work of the
/// caller's scope. Until that scope ends, the source must not change, the destination must not be
/// used, and pointers must stay valid. From: task. Suspends: until done; the async forms: never.
/// Messages: about 2 for each other core that owns a part, and 2 for each full buffer
/// (--buffer_bytes) that goes to another core.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/live_allocations.hpp"
#include "system/global/local_span.hpp"
#include "system/global/piece_copy.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/tasking/spawn.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace Grappa {
namespace detail {

/// The elements of an array that one core owns: its part for a linear address; all or none for a 2D
/// address.
template <class T>
struct OwnElements {
  T* first;
  int64_t count;

  /// Calls visit(elements, count) for slices of the elements, in order. Suspends: in a task,
  /// between two slices, if a network poll is due.
  template <class Visit>
  void in_slices(Visit visit) const {
    constexpr int64_t kSlice = int64_t{64} * 1024 / static_cast<int64_t>(sizeof(T)) + 1;
    for (int64_t done = 0; done < count; done += kSlice) {
      if (done != 0) yield_if_due();
      visit(first + done, std::min(kSlice, count - done));
    }
  }
};

/// This core's elements of [base, base + n).
template <class T>
OwnElements<T> own_elements(GlobalAddress<T> base, int64_t n) {
  if (base.is_2D()) return {base.pointer(), base.core() == mycore() ? n : 0};
  check_elements(base);
  const uint64_t end = base.raw_bits() + static_cast<uint64_t>(n) * sizeof(T);
  const StridedPart part = clip(StridedRange::blocks_of(mycore()), base.raw_bits(), end);
  return {GlobalAddress<T>::from_raw(part.begin).pointer(),
          static_cast<int64_t>(part.bytes / sizeof(T))};
}

/// Copies bytes between global addresses (raw bits). From: task. Suspends: until all have arrived.
void copy_bytes(uint64_t to, uint64_t from, uint64_t bytes);

template <class T, class U>
uint64_t bytes_to_copy(GlobalAddress<T>, GlobalAddress<U>, int64_t n) {
  static_assert(std::is_same<T, typename std::remove_const<U>::type>::value,
                "memcpy copies elements: both arrays must be of the same type");
  static_assert(
      travels<T>::value,
      "memcpy moves elements to other cores as bytes, so they must be trivially copyable");
  return checked_count(n, "memcpy") * sizeof(T);
}

template <class T>
GlobalAddress<T> as_global(GlobalAddress<T> address) {
  return address;
}
template <class T>
GlobalAddress<T> as_global(T* pointer) {
  return make_global(pointer);
}

/// Sets `n` elements. The value is sent as bytes, because its alignment may be larger than a
/// message supports.
template <class T>
struct Fill {
  static_assert(travels<T>::value,
                "memset sends the value to other cores as bytes, so it must be trivially copyable");

  Fill(GlobalAddress<T> its_base, int64_t its_n, const T& value) : base(its_base), n(its_n) {
    std::memcpy(bytes, &value, sizeof(T));
    check_allocated(base.raw_bits(), checked_count(n, "memset") * sizeof(T), "memset");
  }

  GlobalAddress<T> base;
  int64_t n;
  char bytes[sizeof(T)];

  /// Starts the work in the current scope.
  void start() const {
    if (base.is_2D()) return start_on_cores(base.core(), n > 0 ? 1 : 0, *this);
    start_at_owners(base, n, *this);
  }

  /// Sets the elements that the executing core owns.
  void operator()() const {
    alignas(T) char aligned[sizeof(T)];
    std::memcpy(aligned, bytes, sizeof(T));
    const T* const value = reinterpret_cast<const T*>(aligned);
    own_elements(base, n).in_slices(
        [value](T* elements, int64_t count) { std::fill(elements, elements + count, *value); });
  }
};

}  // namespace detail

template <class T, class U>
void memcpy(GlobalAddress<T> dst, GlobalAddress<U> src, int64_t n) {
  detail::copy_bytes(dst.raw_bits(), src.raw_bits(), detail::bytes_to_copy(dst, src, n));
}
template <class T>
void memcpy(GlobalAddress<T> dst, const T* src, int64_t n) {
  memcpy(dst, make_global(src), n);
}
template <class T, class U>
void memcpy(T* dst, GlobalAddress<U> src, int64_t n) {
  memcpy(make_global(dst), src, n);
}

template <class To, class From>
void memcpy_async(To dst, From src, int64_t n) {
  const auto to = detail::as_global(dst);
  const auto from = detail::as_global(src);
  const uint64_t bytes = detail::bytes_to_copy(to, from, n);
  if (bytes == 0) return;
  spawn([to, from, bytes] { detail::copy_bytes(to.raw_bits(), from.raw_bits(), bytes); });
}

/// memcpy_async as work of `event` instead of the caller's scope; null: the caller's scope.
/// Suspends: like GlobalCompletionEvent::enroll.
template <GlobalCompletionEvent* event, class To, class From>
void memcpy_async(To dst, From src, int64_t n) {
  const detail::InEvent in(event);
  memcpy_async(dst, src, n);
}

template <class T, class U>
void memset(GlobalAddress<T> base, U value, int64_t n) {
  const detail::Fill<T> fill(base, n, static_cast<T>(value));
  finish([&fill] { fill.start(); });
}
template <class T, class U>
void memset_async(GlobalAddress<T> base, U value, int64_t n) {
  const detail::Fill<T> fill(base, n, static_cast<T>(value));
  spawn([fill] { fill.start(); });
}

// There are no forms for two plain pointers: with `using namespace Grappa`, they would be better
// matches than ::memcpy and ::memset for calls with a signed number of bytes.

}  // namespace Grappa
