#include "system/global/allocator.hpp"

#include <algorithm>
#include <iterator>

namespace Grappa::detail {

StripeAllocator::StripeAllocator(uint64_t first_stripe, uint64_t stripes) : free_stripes_(stripes) {
  if (stripes > 0) free_.emplace(first_stripe, stripes);
}

uint64_t StripeAllocator::allocate(uint64_t stripes) {
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

bool StripeAllocator::release(uint64_t first_stripe) {
  const auto used = used_.find(first_stripe);
  if (used == used_.end()) return false;
  const uint64_t stripes = used->second.stripes;
  free_stripes_ += stripes;
  used_.erase(used);
  const auto range = free_.emplace(first_stripe, stripes).first;
  const auto after = std::next(range);
  if (after != free_.end() && after->first == first_stripe + stripes) {
    range->second += after->second;
    free_.erase(after);
  }
  if (range == free_.begin()) return true;
  const auto before = std::prev(range);
  if (before->first + before->second == first_stripe) {
    before->second += range->second;
    free_.erase(range);
  }
  return true;
}

StripeAllocator::Allocation* StripeAllocator::find(uint64_t stripe) {
  auto behind = used_.upper_bound(stripe);
  if (behind == used_.begin()) return nullptr;
  Allocation& before = std::prev(behind)->second;
  return stripe - before.first_stripe < before.stripes ? &before : nullptr;
}

uint64_t StripeAllocator::largest_free_range() const {
  uint64_t largest = 0;
  for (const auto& range : free_) largest = std::max(largest, range.second);
  return largest;
}

}  // namespace Grappa::detail
