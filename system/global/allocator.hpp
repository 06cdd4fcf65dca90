#pragma once

/// A first-fit allocator of stripes that merges adjacent free ranges (D. Knuth, The Art of Computer
/// Programming, volume 1, section 2.5). A stripe is one block on each core, so every allocation
/// begins on core 0, and has the same local offset on all cores. The allocator never accesses the
/// memory. Invariants: Free and used ranges cover all stripes. No two free ranges are adjacent.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace Grappa { namespace detail {

class StripeAllocator {
 public:
  StripeAllocator(uint64_t first_stripe, uint64_t stripes) : free_stripes_(stripes) {
    if (stripes > 0) free_.emplace(first_stripe, stripes);
  }

  /// Allocates max(stripes, 1) consecutive stripes. Returns the first stripe, or kNone on failure.
  uint64_t allocate(uint64_t stripes) {
    stripes = std::max<uint64_t>(stripes, 1);
    for (auto range = free_.begin(); range != free_.end(); ++range) {
      if (range->second < stripes) continue;
      const uint64_t first = range->first;
      const uint64_t rest = range->second - stripes;
      free_.erase(range);
      if (rest > 0) free_.emplace(first + stripes, rest);
      used_.emplace(first, Allocation{first, stripes, nullptr, false});
      free_stripes_ -= stripes;
      return first;
    }
    return kNone;
  }
  enum : uint64_t { kNone = ~uint64_t{0} };

  /// Returns false if no allocation begins at `first_stripe`.
  bool release(uint64_t first_stripe) {
    const auto used = used_.find(first_stripe);
    if (used == used_.end()) return false;
    const uint64_t stripes = used->second.stripes;
    free_stripes_ += stripes;
    used_.erase(used);
    const auto range = free_.emplace(first_stripe, stripes).first;
    merge_with_next(range);
    if (range != free_.begin()) merge_with_next(std::prev(range));
    return true;
  }

  struct Allocation {
    uint64_t first_stripe;
    uint64_t stripes;
    void (*destroyer)(void*);  // destroys one core's part of a symmetric object; may be null
    bool leaving;              // one caller is releasing the allocation; others must not
  };

  /// The allocation that contains `stripe`, or null.
  Allocation* find(uint64_t stripe) {
    const auto behind = used_.upper_bound(stripe);
    if (behind == used_.begin()) return nullptr;
    Allocation& before = std::prev(behind)->second;
    return stripe - before.first_stripe < before.stripes ? &before : nullptr;
  }

  uint64_t free_stripes() const { return free_stripes_; }

  /// The number of stripes in the longest free range.
  uint64_t largest_free_range() const {
    uint64_t largest = 0;
    for (const auto& range : free_) largest = std::max(largest, range.second);
    return largest;
  }

 private:
  typedef std::map<uint64_t, uint64_t> Ranges;

  void merge_with_next(Ranges::iterator range) {
    const auto next = std::next(range);
    if (next == free_.end() || next->first != range->first + range->second) return;
    range->second += next->second;
    free_.erase(next);
  }

  Ranges free_;                          // first stripe -> stripes
  std::map<uint64_t, Allocation> used_;  // by first stripe
  uint64_t free_stripes_;
};

}}  // namespace Grappa::detail
