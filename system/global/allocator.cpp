#include "system/global/allocator.hpp"

#include <algorithm>
#include <iterator>

namespace Grappa {
namespace detail {

RowAllocator::RowAllocator(uint64_t first_row, uint64_t rows) : free_rows_(rows) {
  if (rows > 0) free_.emplace(first_row, rows);
}

uint64_t RowAllocator::allocate(uint64_t rows) {
  rows = std::max<uint64_t>(rows, 1);
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    if (range->second < rows) continue;
    const uint64_t first = range->first;
    const uint64_t rest = range->second - rows;
    free_.erase(range);
    if (rest > 0) free_.emplace(first + rows, rest);
    used_.emplace(first, Allocation{first, rows, nullptr, false});
    free_rows_ -= rows;
    return first;
  }
  return kNone;
}

bool RowAllocator::release(uint64_t first_row) {
  const auto used = used_.find(first_row);
  if (used == used_.end()) return false;
  uint64_t first = first_row;
  uint64_t rows = used->second.rows;
  free_rows_ += rows;
  used_.erase(used);
  auto after = free_.lower_bound(first);
  if (after != free_.end() && after->first == first + rows) {
    rows += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == first) {
      before->second += rows;
      return true;
    }
  }
  free_.emplace(first, rows);
  return true;
}

const RowAllocator::Allocation* RowAllocator::find(uint64_t row) const {
  auto behind = used_.upper_bound(row);
  if (behind == used_.begin()) return nullptr;
  const Allocation& before = std::prev(behind)->second;
  return row - before.first_row < before.rows ? &before : nullptr;
}

void RowAllocator::set_destroyer(uint64_t first_row, SymmetricDestroyer function) {
  used_.at(first_row).destroyer = function;
}

void RowAllocator::set_leaving(uint64_t first_row) { used_.at(first_row).leaving = true; }

uint64_t RowAllocator::largest_free_range() const {
  uint64_t largest = 0;
  for (const auto& range : free_) largest = std::max(largest, range.second);
  return largest;
}

}  // namespace detail
}  // namespace Grappa
