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

void SegmentList::take_back(int64_t n, std::vector<Segment>* out) {
  n = std::min(n, size_);
  size_ -= n;
  while (n != 0) {
    Segment& last = segments_.back();
    const int64_t taken = std::min(n, last.n);
    last.n -= taken;
    out->push_back({last.first + static_cast<uint64_t>(last.n) * element_bytes_, taken});
    if (last.n == 0) segments_.pop_back();
    n -= taken;
  }
}

void SegmentList::take_front(int64_t n, std::vector<Segment>* out) {
  n = std::min(n, size_);
  size_ -= n;
  while (n != 0) {
    Segment& first = segments_.front();
    const int64_t taken = std::min(n, first.n);
    out->push_back({first.first, taken});
    first.n -= taken;
    first.first += static_cast<uint64_t>(taken) * element_bytes_;
    if (first.n == 0) segments_.pop_front();
    n -= taken;
  }
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
