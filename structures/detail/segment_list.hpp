#pragma once

/// The order of the elements of a global stack or queue, which its master stores: segments of
/// consecutive elements in the memory of one core. A batch of a proxy usually has one or two
/// segments, so a thousand elements take one entry. Adjacent segments are joined.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace Grappa {
namespace detail {

/// The end from which elements are removed. Elements are pushed at the back.
enum class TakeFrom : uint8_t { Back, Front };

/// Consecutive elements on one core. Sent between cores.
struct Segment {
  uint64_t first;  // raw bits of the 2D address of the first element
  int64_t n;
};

class SegmentList {
 public:
  explicit SegmentList(size_t element_bytes) : element_bytes_(element_bytes) {}

  int64_t size() const { return size_; }

  void push_back(const Segment* segments, size_t n);

  /// Removes up to `n` elements and returns their segments, beginning at that end. Each segment is
  /// in ascending order.
  std::vector<Segment> take(TakeFrom end, int64_t n);

  /// The segments of each core, in order.
  std::vector<std::vector<Segment>> by_core() const;

  void clear();

 private:
  const size_t element_bytes_;
  std::deque<Segment> segments_;
  int64_t size_ = 0;
};

}  // namespace detail
}  // namespace Grappa
