#pragma once

/// A loop over the elements that one core has of a global structure.

#include "structures/detail/segment_list.hpp"
#include "system/global/address.hpp"
#include "system/parallel/local_loop.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace Grappa {
namespace detail {

/// The body of a LocalLoop: elements are numbered through all segments.
template <class T, class F>
class SegmentLoop {
 public:
  /// Starts `body(T&)` for each element of the segments, which lie on this core, in the caller's
  /// scope. From: task. Suspends: if the body does.
  static void run(std::vector<Segment> segments, const F& body) {
    SegmentLoop loop(std::move(segments), body);
    const int64_t n = loop.ends_.empty() ? 0 : loop.ends_.back();
    LocalLoop<SegmentLoop>::run(n, loop_chunk(n, 0), loop);
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
  std::vector<int64_t> ends_;  // of each segment, the number of the first element behind it
  F body_;
};

}  // namespace detail
}  // namespace Grappa
