#pragma once

/// The order of a global stack's or queue's elements, which its master keeps: runs of elements that
/// lie side by side in the memory of one core. A batch of a proxy is a run or two, so a thousand
/// elements cost the master one entry; runs that continue the one before become one with it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace Grappa {
namespace detail {

/// Elements side by side on one core. Travels.
struct Segment {
  uint64_t first;  // raw bits of the 2D address of the lowest
  int64_t n;
};

class SegmentList {
 public:
  explicit SegmentList(size_t element_bytes) : element_bytes_(element_bytes) {}

  int64_t size() const { return size_; }

  void push_back(const Segment* segments, size_t n);

  /// Removes up to `n` elements, the last or the first ones, and appends them to `out` in ascending
  /// order of each segment.
  void take_back(int64_t n, std::vector<Segment>* out);
  void take_front(int64_t n, std::vector<Segment>* out);

  /// Of each core the segments, from the first to the last.
  std::vector<std::vector<Segment>> by_core() const;

  void clear();

 private:
  const size_t element_bytes_;
  std::deque<Segment> segments_;
  int64_t size_ = 0;
};

}  // namespace detail
}  // namespace Grappa
