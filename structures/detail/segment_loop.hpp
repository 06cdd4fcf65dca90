#pragma once

/// A loop over the elements of a global structure on one core.

#include "structures/detail/segment_list.hpp"
#include "system/global/address.hpp"
#include "system/parallel/local_loop.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace Grappa {
namespace detail {

/// The body of a LocalLoop: elements are numbered consecutively through all segments.
template <class T, class F>
class SegmentLoop {
 public:
  /// Starts `body(T&)` for each element of the segments, which must be on this core, in the
  /// caller's scope, `threshold` elements at a time. From: task. Suspends: if the body does.
  static void run(std::vector<Segment> segments, int64_t threshold, const F& body) {
    SegmentLoop loop(std::move(segments), body);
    const int64_t n = loop.ends_.empty() ? 0 : loop.ends_.back();
    LocalLoop<SegmentLoop>::run(n, loop_chunk(n, threshold), loop);
  }

  void operator()(int64_t first, int64_t count) {
    size_t i =
        static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), first) - ends_.begin());
    for (; count != 0; ++i) {
      const int64_t behind = ends_[i] - first;
      const int64_t here = std::min(count, behind);
      T* const end = GlobalAddress<T>::from_raw(segments_[i].first).pointer() + segments_[i].n;
      for (T* element = end - behind; element != end - behind + here; ++element) body_(*element);
      first += here;
      count -= here;
    }
  }

 private:
  SegmentLoop(std::vector<Segment> segments, const F& body)
      : segments_(std::move(segments)), body_(body) {
    int64_t end = 0;
    for (const Segment& segment : segments_) ends_.push_back(end += segment.n);
  }

  std::vector<Segment> segments_;
  std::vector<int64_t> ends_;  // for each segment, the number of its last element plus 1
  F body_;
};

}  // namespace detail
}  // namespace Grappa
