#pragma once

/// First fit over a range of rows, with neighbours merged when freed.
///
/// A row is one block on each core, so that everything allocated begins on core 0 at a place that
/// is the same on all cores, and no two allocations share a block. Only bookkeeping: it touches no
/// memory of the heap. (D. Knuth, The Art of Computer Programming, volume 1, section 2.5.)
/// Invariant: free and used ranges together cover all rows; no two free ranges touch.

#include <cstdint>
#include <map>

namespace Grappa {
namespace detail {

/// Destroys one core's part of a symmetric object.
typedef void (*SymmetricDestroyer)(void* object);

class RowAllocator {
 public:
  RowAllocator(uint64_t first_row, uint64_t rows);

  /// The first of `rows` consecutive rows, at least one; kNone if there is no such range.
  uint64_t allocate(uint64_t rows);
  enum : uint64_t { kNone = ~uint64_t{0} };

  /// False if `first_row` is not what allocate has returned, or has been freed already.
  bool release(uint64_t first_row);

  struct Allocation {
    uint64_t first_row;
    uint64_t rows;
    SymmetricDestroyer destroyer;  // of the object in it; null if there is none
    bool leaving;                  // somebody is about to release it
  };

  /// The allocation that `row` is in; null if there is none.
  const Allocation* find(uint64_t row) const;

  /// Notes how to destroy the object in an allocation.
  void set_destroyer(uint64_t first_row, SymmetricDestroyer function);

  /// Notes that the caller is going to release an allocation, and nobody else may.
  void set_leaving(uint64_t first_row);

  uint64_t free_rows() const { return free_rows_; }
  /// The longest range that allocate could return.
  uint64_t largest_free_range() const;

 private:
  std::map<uint64_t, uint64_t> free_;    // first row -> rows
  std::map<uint64_t, Allocation> used_;  // by first row
  uint64_t free_rows_;
};

}  // namespace detail
}  // namespace Grappa
