#pragma once

/// Copies, fills and sums arrays. Sizes are in elements.
///
///     memcpy(dst, src, n)      each a GlobalAddress, linear or 2D, or a pointer of this core
///     memset(base, value, n)   base: a GlobalAddress
///     prefix_sum(base, n)
///
/// Between two linear arrays, every owner of the source sends its part. Otherwise the core of the
/// 2D address or pointer does all the work. If source and destination differ, they must not
/// overlap. The work of the async forms belongs to the caller's scope. Until that scope ends, the
/// source must not change, the destination must not be used, and pointers must stay valid. From:
/// task. Suspends: until all elements are visible. The async forms do not suspend. Messages: about
/// 2 for each other core that owns a part, and 2 for each full buffer that is sent to another core.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/bulk_transfer.hpp"
#include "system/global/locale_memory.hpp"
#include "system/message/send.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>

namespace Grappa {
namespace detail {

/// The elements of an array that this core owns. At a 2D address, one core owns all elements.
template <class T>
struct OwnElements {
  T* first;
  int64_t count;

  /// Calls visit(elements, count) for slices, in order. Suspends: in a task, if a poll is due.
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
  T* const first = base.localize();
  return {first, (base + n).localize() - first};
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

/// Sends the value as bytes, because its alignment may be larger than a message supports.
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

  void start() const {  // in the current scope
    if (base.is_2D()) return start_on_cores(base.core(), n > 0 ? 1 : 0, *this);
    start_at_owners(base, n, *this);
  }

  void operator()() const {  // at each owner
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
  if (bytes != 0)
    spawn([to, from, bytes] { detail::copy_bytes(to.raw_bits(), from.raw_bits(), bytes); });
}

/// memcpy_async as work of `event`, which may be null. Suspends: if event->enroll() does.
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

// There are no forms for plain pointers only. With `using namespace Grappa`, a call of ::memcpy or
// ::memset with a signed number of bytes would select such a form.

namespace detail {

/// Replaces each element by its prefix sum plus `before`. Returns the last sum.
template <class T>
T sum_up(T* elements, int64_t n, T before) {
  for (int64_t k = 0; k < n; ++k) elements[k] = before = static_cast<T>(before + elements[k]);
  return before;
}

/// Computes the prefix sums of a piece of a linear array. A stripe has one block of each core.
/// First, every core sums each of its blocks. Second, one core per range of stripes receives these
/// sums, converts them to prefix sums in the order of the array, and sends them back. Third, every
/// core computes the prefix sums within its blocks. Pieces are small, so the blocks are still in
/// the cache. (G. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.2.)
template <class T>
struct PrefixPiece {
  uint64_t begin, end;  // of the array, as linear offsets
  uint64_t first_stripe;
  int64_t stripes;
  T* block_sums;  // by stripe: first the sum of this core's block, then the sum before this block
  T* row_sums;    // [core][stripe], for the share of stripes that this core sums
  T* totals;      // on core `home`, by core: the sum of its share of stripes
  Core home;

  static constexpr int64_t kMostRows = int64_t{64} * 1024;  // 4 MiB of the array on each core
  static constexpr int64_t kRowsPerLook = 1024;             // between two checks for a network poll

  int64_t share() const { return (stripes + cores() - 1) / cores(); }
  int64_t share_begin(int64_t core) const { return std::min(stripes, core * share()); }
  int64_t share_rows(int64_t core) const { return share_begin(core + 1) - share_begin(core); }

  OwnElements<T> block(int64_t stripe) const {  // this core's elements in a stripe
    const uint64_t size = block_size;
    const uint64_t place = (first_stripe + static_cast<uint64_t>(stripe)) * size;
    const uint64_t offset = block_cyclic().linear_offset(mycore(), place);
    const uint64_t from = std::max(offset, begin), to = std::min(offset + size, end);
    if (from >= to) return {nullptr, 0};
    return {reinterpret_cast<T*>(kHeapBase + place + (from - offset)),
            static_cast<int64_t>((to - from) / sizeof(T))};
  }

  /// Copies the sums of this core's blocks to the cores that sum the stripes. If `back` is true,
  /// copies the results back to the owners of the blocks.
  void exchange(bool back) const {
    BulkTransfer transfer;
    for (int k = 1; k <= cores(); ++k) {
      const Core core = core_behind_me(k), row = back ? mycore() : core;
      T* const block_part = block_sums + share_begin(row);
      T* const row_part = row_sums + (back ? core : mycore()) * share();
      const uint64_t bytes = static_cast<uint64_t>(share_rows(row)) * sizeof(T);
      put(make_global(back ? block_part : row_part, core).raw_bits(), back ? row_part : block_part,
          bytes, &transfer);
    }
    transfer.wait();
  }

  void sum_blocks() const {
    for (int64_t stripe = 0; stripe < stripes; ++stripe) {
      const OwnElements<T> mine = block(stripe);
      block_sums[stripe] = std::accumulate(mine.first, mine.first + mine.count, T());
      if (stripe % kRowsPerLook == 0) yield_if_due();
    }
    exchange(false);
  }

  void sum_rows() const {
    const int64_t mine = share_rows(mycore());
    T running = T();
    for (int64_t stripe = 0; stripe < mine; ++stripe) {
      for (int64_t core = 0; core < cores(); ++core) {
        T& sum = row_sums[core * share() + stripe];
        const T before = running;
        running = static_cast<T>(running + sum);
        sum = before;
      }
      if (stripe % kRowsPerLook == 0) yield_if_due();
    }
    T* const total = totals + mycore();
    send_counted(home, [total, running] { *total = running; });
    exchange(true);
  }

  void sum_within_blocks() const {
    const ElementBuffer<T> before(cores());
    memcpy(before.get(), make_global(totals, home), cores());
    for (int64_t stripe = 0; stripe < stripes; ++stripe) {
      const OwnElements<T> mine = block(stripe);
      sum_up(mine.first, mine.count, static_cast<T>(before[stripe / share()] + block_sums[stripe]));
      if (stripe % kRowsPerLook == 0) yield_if_due();
    }
  }
};

template <class T>
void prefix_sum_over_cores(GlobalAddress<T> base, int64_t n) {
  const uint64_t all = static_cast<uint64_t>(cores());
  PrefixPiece<T> piece = {};
  piece.begin = base.raw_bits();
  piece.end = (base + n).raw_bits();
  piece.home = mycore();
  const uint64_t end_stripe = (piece.end - 1) / block_size / all + 1;
  piece.first_stripe = piece.begin / block_size / all;
  const uint64_t all_stripes = end_stripe - piece.first_stripe;
  const uint64_t most = std::min<uint64_t>(PrefixPiece<T>::kMostRows, all_stripes);
  const uint64_t shares = (most + all - 1) / all * all;  // stripes, padded to equal shares
  const GlobalAddress<T> memory = symmetric_global_alloc<T>(static_cast<int64_t>(2 * shares));
  piece.block_sums = memory.pointer();
  piece.row_sums = piece.block_sums + shares;
  const ElementBuffer<T> totals(cores());
  piece.totals = totals.get();
  T before = T();
  for (; piece.first_stripe < end_stripe; piece.first_stripe += most) {
    piece.stripes = static_cast<int64_t>(std::min(most, end_stripe - piece.first_stripe));
    on_all_cores(unchecked([piece] { piece.sum_blocks(); }));
    on_all_cores(unchecked([piece] { piece.sum_rows(); }));
    for (uint64_t core = 0; core < all; ++core) {
      const T total = totals[core];
      totals[core] = before;
      before = static_cast<T>(before + total);
    }
    on_all_cores(unchecked([piece] { piece.sum_within_blocks(); }));
  }
  global_free(memory);
}

}  // namespace detail

/// Replaces each of `n` elements by the sum of itself and all elements before it. T has operator +,
/// and T() is its zero. The order of the additions depends only on the number of cores. From: task.
/// Suspends: until done. Messages: for each 4 MiB on a core, about 10 for each pair of cores.
template <class T>
void prefix_sum(GlobalAddress<T> base, int64_t n) {
  static_assert(detail::travels<T>::value,
                "sums travel as bytes, so elements must be trivially copyable");
  constexpr int64_t kFewBytes = int64_t{16} * 1024;  // one core alone is faster up to this size
  if (detail::checked_count(n, "prefix_sum") == 0) return;
  if (base.is_linear()) detail::check_elements(base);
  detail::check_allocated(base.raw_bits(), static_cast<uint64_t>(n) * sizeof(T), "prefix_sum");
  if (base.is_2D() || cores() == 1) {
    const auto sum = [base, n] {
      T before = T();
      detail::own_elements(base, n).in_slices([&before](T* elements, int64_t count) {
        before = detail::sum_up(elements, count, before);
      });
    };
    finish([base, sum] { detail::start_on_cores(base.core(), 1, sum); });
  } else if (n <= kFewBytes / static_cast<int64_t>(sizeof(T))) {
    const detail::ElementBuffer<T> elements(n);
    memcpy(elements.get(), base, n);
    detail::sum_up(elements.get(), n, T());
    memcpy(base, elements.get(), n);
  } else {
    detail::prefix_sum_over_cores(base, n);
  }
}

}  // namespace Grappa
