#pragma once

/// A first-fit allocator of stripes that merges adjacent free ranges.
///
/// A stripe is one block on each core. Every allocation therefore begins on core 0, at an offset
/// that is the same on all cores, and no two allocations share a block. The allocator manages
/// metadata only and never accesses the heap's memory. (D. Knuth, The Art of Computer Programming,
/// volume 1, section 2.5.)
/// Invariant: free and used ranges together cover all stripes; no two free ranges are adjacent.

#include <cstdint>
#include <map>

namespace Grappa {
namespace detail {

/// Destroys one core's part of a symmetric object.
typedef void (*SymmetricDestroyer)(void* object);

class StripeAllocator {
 public:
  StripeAllocator(uint64_t first_stripe, uint64_t stripes);

  /// Allocates max(stripes, 1) consecutive stripes. Returns the first stripe, or kNone on failure.
  uint64_t allocate(uint64_t stripes);
  enum : uint64_t { kNone = ~uint64_t{0} };

  /// Returns false if no allocation begins at `first_stripe`.
  bool release(uint64_t first_stripe);

  struct Allocation {
    uint64_t first_stripe;
    uint64_t stripes;
    SymmetricDestroyer destroyer;  // of the symmetric object in the allocation, or null
    bool leaving;                  // a caller is about to release it, so no other caller may
  };

  /// The allocation that contains `stripe`, or null.
  Allocation* find(uint64_t stripe);

  uint64_t free_stripes() const { return free_stripes_; }
  /// The longest range that allocate could return.
  uint64_t largest_free_range() const;

 private:
  std::map<uint64_t, uint64_t> free_;    // first stripe -> stripes
  std::map<uint64_t, Allocation> used_;  // by first stripe
  uint64_t free_stripes_;
};

}  // namespace detail
}  // namespace Grappa
