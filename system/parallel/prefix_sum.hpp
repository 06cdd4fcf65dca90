#pragma once

/// Prefix sums of a global array.
///
/// A stripe is one block of each core. First, every core sums each of its blocks. Second, one core
/// per range of stripes receives these sums, converts them to prefix sums in the order of the
/// array, and sends them back. Third, every core computes the prefix sums within its blocks. So an
/// element is read twice and written once, and two words are sent for each block, with one message
/// for each pair of cores. Large arrays are processed in pieces: little memory is needed, and the
/// third pass finds its piece in the cache. (G. Blelloch, "Prefix Sums and Their Applications",
/// 1990, two-level sums of section 1.2.)

#include "system/global/bulk_transfer.hpp"
#include "system/global/live_allocations.hpp"
#include "system/global/locale_memory.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace Grappa {
namespace detail {

/// Replaces elements by their prefix sums plus `before`. Returns the last sum.
template <class T>
T sum_up(T* elements, int64_t n, T before) {
  for (int64_t k = 0; k < n; ++k) elements[k] = before = static_cast<T>(before + elements[k]);
  return before;
}

/// A piece of a linear array: stripes [first_stripe, first_stripe + stripes). Same on all cores.
template <class T>
struct PrefixPiece {
  uint64_t begin;  // of the array, as linear offsets
  uint64_t end;
  uint64_t first_stripe;
  int64_t stripes;
  T* block_sums;  // by stripe; sums of this core's blocks, then the sums before each block
  T* row_sums;    // [core][stripe of the share], for the stripes that this core sums
  T* totals;      // on core `home`, by core: the sum of its share of stripes
  Core home;

  static constexpr int64_t kMostRows = int64_t{64} * 1024;  // 4 MiB of the array on each core
  static constexpr int64_t kRowsPerLook = 1024;             // between two checks for a network poll

  int64_t share() const { return (stripes + cores() - 1) / cores(); }
  int64_t share_begin(Core core) const { return std::min<int64_t>(stripes, core * share()); }
  int64_t share_rows(Core core) const {
    return std::min(stripes, (core + 1) * share()) - share_begin(core);
  }

  /// This core's elements in a stripe. There may be none.
  OwnElements<T> block(int64_t stripe) const {
    const uint64_t size = block_size;
    const uint64_t place = (first_stripe + static_cast<uint64_t>(stripe)) * size;
    const uint64_t offset = block_cyclic().linear_offset(mycore(), place);
    const uint64_t from = std::max(offset, begin), to = std::min(offset + size, end);
    if (from >= to) return {nullptr, 0};
    return {reinterpret_cast<T*>(kHeapBase + place + (from - offset)),
            static_cast<int64_t>((to - from) / sizeof(T))};
  }

  /// Copies `n` sums to the address `to` on `core`.
  static void put_sums(Core core, T* to, const T* from, int64_t n, BulkTransfer* transfer) {
    put(make_global(to, core).raw_bits(), from, static_cast<uint64_t>(n) * sizeof(T), transfer);
  }

  void sum_blocks() const {
    for (int64_t stripe = 0; stripe < stripes; ++stripe) {
      const OwnElements<T> mine = block(stripe);
      block_sums[stripe] = std::accumulate(mine.first, mine.first + mine.count, T());
      if (stripe % kRowsPerLook == 0) yield_if_due();
    }
    BulkTransfer transfer;
    for (int k = 1; k <= cores(); ++k) {
      const Core core = core_behind_me(k);
      put_sums(core, row_sums + mycore() * share(), block_sums + share_begin(core),
               share_rows(core), &transfer);
    }
    transfer.wait();
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
    BulkTransfer transfer;
    for (int k = 1; k <= cores(); ++k) {
      const Core core = core_behind_me(k);
      put_sums(core, block_sums + share_begin(mycore()), row_sums + core * share(), mine,
               &transfer);
    }
    put_sums(home, totals + mycore(), &running, 1, &transfer);
    transfer.wait();
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

/// Computes the prefix sums of a linear array that is on several cores.
template <class T>
void prefix_sum_over_cores(GlobalAddress<T> base, int64_t n) {
  typedef PrefixPiece<T> Piece;
  const uint64_t all = static_cast<uint64_t>(cores());
  Piece piece = {};
  piece.begin = base.raw_bits();
  piece.end = (base + n).raw_bits();
  piece.home = mycore();
  const uint64_t end_stripe = (piece.end - 1) / block_size / all + 1;
  piece.first_stripe = piece.begin / block_size / all;
  const uint64_t most = std::min<uint64_t>(Piece::kMostRows, end_stripe - piece.first_stripe);
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

/// Replaces each of the `n` elements from `base` on by the sum of itself and all elements before it
/// (inclusive). T has operator +, and T() is its zero. The order of the additions depends only on
/// the number of cores, so sums of floating-point numbers are the same in every run. From: task.
/// Suspends: until done. Messages: about 10 for each pair of cores, for each 4 MiB that a core
/// owns.
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
