#pragma once

/// Running sums of a global array.
///
/// Consecutive blocks belong to different cores, so no core can sum up a stretch of a linear array
/// by itself. Instead: every core sums up each of its blocks. The sums of a stretch of rows (a row
/// is one block of each core) go to one core, which makes them running sums in the order of the
/// array and sends them back. Every core then sums up within its blocks, beginning with what lies
/// before. So an element is read twice and written once, and for each block two words travel, in
/// one message from core to core. Large arrays go piece by piece, so that little memory is taken,
/// and the second pass finds its piece in cache. (G. Blelloch, "Prefix Sums and Their
/// Applications", 1990, two-level sums of section 1.2.)

#include "system/global/bulk_transfer.hpp"
#include "system/global/live_allocations.hpp"
#include "system/global/locale_memory.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/own_elements.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {

/// Turns elements into running sums that begin behind `before`; returns the last.
template <class T>
T sum_up(T* elements, int64_t n, T before) {
  for (int64_t k = 0; k < n; ++k) elements[k] = before = static_cast<T>(before + elements[k]);
  return before;
}

/// A piece of a linear array: rows [first_row, first_row + rows), as all cores see it.
template <class T>
struct PrefixPiece {
  uint64_t begin;  // of the array, as linear offsets
  uint64_t end;
  uint64_t first_row;
  int64_t rows;
  T* block_sums;  // by row; of this core's blocks, then what lies before each in its share
  T* row_sums;    // [core][row of the share], of the rows that this core sums up
  T* totals;      // on core `home`, by core: what its share of rows adds up to
  Core home;

  static constexpr int64_t kMostRows = int64_t{64} * 1024;  // 4 MiB of the array on each core
  static constexpr int64_t kRowsPerLook = 1024;             // between two looks at the network

  int64_t share() const { return (rows + cores() - 1) / cores(); }
  int64_t share_begin(Core core) const { return std::min<int64_t>(rows, core * share()); }
  int64_t share_rows(Core core) const {
    return std::min(rows, (core + 1) * share()) - share_begin(core);
  }

  /// This core's elements in a row: `count` may be 0.
  OwnElements<T> block(int64_t row) const {
    const uint64_t size = block_size;
    const uint64_t place = (first_row + static_cast<uint64_t>(row)) * size;
    const uint64_t offset = block_cyclic().linear_offset(mycore(), place);
    const uint64_t from = std::max(offset, begin), to = std::min(offset + size, end);
    if (from >= to) return {nullptr, 0};
    return {reinterpret_cast<T*>(kHeapBase + place + (from - offset)),
            static_cast<int64_t>((to - from) / sizeof(T))};
  }

  /// Puts `n` sums to the same place of `core`.
  static void put_sums(Core core, T* to, const T* from, int64_t n, BulkTransfer* transfer) {
    put(make_global(to, core).raw_bits(), from, static_cast<uint64_t>(n) * sizeof(T), transfer);
  }

  void sum_blocks() const {
    for (int64_t row = 0; row < rows; ++row) {
      const OwnElements<T> mine = block(row);
      T sum = T();
      for (int64_t k = 0; k < mine.count; ++k) sum = static_cast<T>(sum + mine.first[k]);
      block_sums[row] = sum;
      if (row % kRowsPerLook == 0) scheduler().yield_if_due();
    }
    BulkTransfer transfer;
    for (int k = 1; k <= cores(); ++k) {
      const Core core = static_cast<Core>((mycore() + k) % cores());
      put_sums(core, row_sums + mycore() * share(), block_sums + share_begin(core),
               share_rows(core), &transfer);
    }
    transfer.wait();
  }

  void sum_rows() const {
    const int64_t mine = share_rows(mycore());
    T running = T();
    for (int64_t row = 0; row < mine; ++row) {
      for (int64_t core = 0; core < cores(); ++core) {
        T& sum = row_sums[core * share() + row];
        const T before = running;
        running = static_cast<T>(running + sum);
        sum = before;
      }
      if (row % kRowsPerLook == 0) scheduler().yield_if_due();
    }
    BulkTransfer transfer;
    for (int k = 1; k <= cores(); ++k) {
      const Core core = static_cast<Core>((mycore() + k) % cores());
      put_sums(core, block_sums + share_begin(mycore()), row_sums + core * share(), mine,
               &transfer);
    }
    put_sums(home, totals + mycore(), &running, 1, &transfer);
    transfer.wait();
  }

  void sum_within_blocks() const {
    const ElementBuffer<T> before(cores());
    memcpy(before.get(), make_global(totals, home), cores());
    for (int64_t row = 0; row < rows; ++row) {
      const OwnElements<T> mine = block(row);
      sum_up(mine.first, mine.count, static_cast<T>(before[row / share()] + block_sums[row]));
      if (row % kRowsPerLook == 0) scheduler().yield_if_due();
    }
  }
};

/// Sums up a linear array that lies on several cores.
template <class T>
void prefix_sum_over_cores(GlobalAddress<T> base, int64_t n) {
  typedef PrefixPiece<T> Piece;
  const uint64_t all = static_cast<uint64_t>(cores());
  Piece piece = {};
  piece.begin = base.raw_bits();
  piece.end = (base + n).raw_bits();
  piece.home = mycore();
  const uint64_t end_row = (piece.end - 1) / block_size / all + 1;
  piece.first_row = piece.begin / block_size / all;
  const uint64_t most = std::min<uint64_t>(Piece::kMostRows, end_row - piece.first_row);
  const uint64_t shares = (most + all - 1) / all * all;  // rows, padded to equal shares
  const GlobalAddress<T> memory = symmetric_global_alloc<T>(static_cast<int64_t>(2 * shares));
  piece.block_sums = memory.pointer();
  piece.row_sums = piece.block_sums + shares;
  const ElementBuffer<T> totals(cores());
  piece.totals = totals.get();
  T before = T();
  for (; piece.first_row < end_row; piece.first_row += most) {
    piece.rows = static_cast<int64_t>(std::min(most, end_row - piece.first_row));
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

/// Sums up an array that this core owns all of.
template <class T>
void prefix_sum_here(GlobalAddress<T> base, int64_t n) {
  T before = T();
  own_elements(base, n).in_slices(
      [&before](T* elements, int64_t count) { before = sum_up(elements, count, before); });
}

}  // namespace detail

/// Makes each of the `n` elements from `base` on the sum of itself and all before it (inclusive). T
/// has +, T() is its zero. Sums are made in an order that depends on the number of cores and on
/// nothing else, so sums of floating-point numbers are the same in every run.
/// From: task. Suspends: until done. Messages: about 10 for each pair of cores, for each 4 MiB that
/// a core owns.
template <class T>
void prefix_sum(GlobalAddress<T> base, int64_t n) {
  static_assert(detail::travels<T>::value,
                "sums travel as bytes, so elements must be trivially copyable");
  constexpr int64_t kFewBytes =
      int64_t{16} * 1024;  // that one core sums up sooner than all together
  if (detail::checked_count(n, "prefix_sum") == 0) return;
  if (base.is_linear()) detail::check_elements(base);
  detail::check_allocated(base.raw_bits(), static_cast<uint64_t>(n) * sizeof(T), "prefix_sum");
  if (base.is_2D() || cores() == 1) {
    if (base.core() == mycore() || cores() == 1) return detail::prefix_sum_here(base, n);
    finish([base, n] {
      detail::send_counted(base.core(),
                           [base, n] { spawn([base, n] { detail::prefix_sum_here(base, n); }); });
    });
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
