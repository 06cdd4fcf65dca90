#include "structures/detail/segment_list.hpp"

#include "system/global/address.hpp"
#include "system/net/topology.hpp"

#include <algorithm>

namespace Grappa {
namespace detail {

void SegmentList::push_back(const Segment* segments, size_t n) {
  for (const Segment* segment = segments; segment != segments + n; ++segment) {
    size_ += segment->n;
    if (!segments_.empty()) {
      Segment& last = segments_.back();
      if (last.first + static_cast<uint64_t>(last.n) * element_bytes_ == segment->first) {
        last.n += segment->n;
        continue;
      }
    }
    segments_.push_back(*segment);
  }
}

std::vector<Segment> SegmentList::take(TakeFrom end, int64_t n) {
  std::vector<Segment> taken;
  n = std::min(n, size_);
  size_ -= n;
  while (n != 0) {
    Segment& from = end == TakeFrom::Back ? segments_.back() : segments_.front();
    const int64_t here = std::min(n, from.n);
    from.n -= here;
    n -= here;
    if (end == TakeFrom::Back) {
      taken.push_back({from.first + static_cast<uint64_t>(from.n) * element_bytes_, here});
      if (from.n == 0) segments_.pop_back();
    } else {
      taken.push_back({from.first, here});
      from.first += static_cast<uint64_t>(here) * element_bytes_;
      if (from.n == 0) segments_.pop_front();
    }
  }
  return taken;
}

std::vector<std::vector<Segment>> SegmentList::by_core() const {
  std::vector<std::vector<Segment>> parts(static_cast<size_t>(cores()));
  for (const Segment& segment : segments_) {
    const Core core = GlobalAddress<char>::from_raw(segment.first).core();
    parts[static_cast<size_t>(core)].push_back(segment);
  }
  return parts;
}

void SegmentList::clear() {
  segments_.clear();
  size_ = 0;
}

}  // namespace detail
}  // namespace Grappa
