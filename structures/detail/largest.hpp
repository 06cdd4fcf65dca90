#pragma once

/// The largest entries of a distributed structure.

#include "system/base/check.hpp"
#include "system/message/closure_check.hpp"
#include "system/parallel/gather.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

/// The k largest of the added entries. less(a, b) compares two entries.
template <class Entry, class Less>
class Largest {
 public:
  Largest(size_t k, const Less& less) : k_(k), less_(less) {}

  void add(const Entry& entry) {
    if (k_ == 0) return;
    const auto greater = [this](const Entry& a, const Entry& b) { return less_(b, a); };
    if (heap_.size() == k_) {
      if (!less_(heap_.front(), entry)) return;
      std::pop_heap(heap_.begin(), heap_.end(), greater);
      heap_.back() = entry;
    } else {
      heap_.push_back(entry);
    }
    std::push_heap(heap_.begin(), heap_.end(), greater);
  }

  /// Removes and returns the entries, in any order.
  std::vector<Entry> take() { return std::move(heap_); }

 private:
  const size_t k_;
  const Less less_;
  std::vector<Entry> heap_;  // the smallest entry is in front
};

/// Returns the k largest entries of all cores, the largest first. `add_all(largest)` adds those of
/// the executing core. From: task. Suspends: until all cores have answered. Messages: those of
/// gather().
template <class Entry, class Less, class AddAll>
std::vector<Entry> largest_of_all(int64_t k, const Less& less, const AddAll& add_all) {
  GRAPPA_CHECK(k >= 0) << "top_k of " << k << " entries: expected 0 or more";
  check_closure(less);
  const auto count = static_cast<size_t>(k);
  std::vector<Entry> all;
  for (const std::vector<Entry>& part : gather(unchecked([count, less, add_all] {
         Largest<Entry, Less> largest(count, less);
         add_all(&largest);
         return largest.take();
       }))) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end(), [&less](const Entry& a, const Entry& b) { return less(b, a); });
  if (all.size() > count) all.erase(all.begin() + k, all.end());
  return all;
}

}}  // namespace Grappa::detail
