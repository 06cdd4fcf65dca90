#include "system/net/shm_link.hpp"

#include "tests/harness/in_step.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

typedef std::pair<uintptr_t, uintptr_t> Range;  // the begin and the end of an address range

Range range(const void* begin, size_t bytes) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(begin);
  return Range(address, address + bytes);
}

/// Returns the address ranges of the parts of a segment, in ascending order.
std::vector<Range> parts(const ShmLayout& layout, void* segment) {
  std::vector<Range> all;
  for (Core core = 0; core < layout.locale_cores; ++core) {
    all.push_back(
        range(layout.inbound(segment, core), layout.inbound_entries * sizeof(ShmRingSlot)));
    all.push_back(
        range(layout.returned(segment, core), layout.return_entries * sizeof(ShmRingSlot)));
  }
  for (uint32_t index = 0; index < layout.buffers; ++index) {
    all.push_back(range(layout.buffer(segment, index), layout.buffer_bytes));
  }
  std::sort(all.begin(), all.end());
  return all;
}

class ShmLayoutOf : public testing::TestWithParam<ShmLayout> {
 protected:
  void* segment() const { return reinterpret_cast<void*>(uintptr_t{1} << 30); }
};

TEST_P(ShmLayoutOf, PartsAreDisjointAndInsideTheSegment) {
  const std::vector<Range> all = parts(GetParam(), segment());
  for (size_t k = 1; k < all.size(); ++k) EXPECT_LE(all[k - 1].second, all[k].first) << k;
  const Range whole = range(segment(), GetParam().segment_bytes());
  EXPECT_GE(all.front().first, whole.first);
  EXPECT_LE(all.back().second, whole.second);
}

TEST_P(ShmLayoutOf, PartsDoNotShareCacheLines) {
  for (const Range& part : parts(GetParam(), segment())) {
    EXPECT_EQ(part.first % kCacheLineBytes, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ShmLayoutOf,
                         testing::Values(ShmLayout{1, 1, 128, 1, 1}, ShmLayout{4, 3, 4096, 1, 4},
                                         ShmLayout{3, 32, 64 * KiB, 64, 32},
                                         ShmLayout{200, 816, 64 * KiB, 1024, 1024}));

/// A fixture in which each core of the locale maps the segments of all cores of the locale.
class ShmSegment : public testing::TestWithParam<int> {
 protected:
  ShmSegment() {
    detail::the_topology = detail::world().discover_topology(GetParam());
    layout_ = ShmLayout{locale_cores(), 3, 4096, 4, 4};
    segments_ = map_locale_segments(layout_);
  }

  ~ShmSegment() {
    detail::world().barrier();
    unmap_locale_segments(layout_, segments_);
    detail::the_topology = detail::world().discover_topology(0);
  }

  void SetUp() override {
    if (!can_pretend(GetParam())) GTEST_SKIP() << "locales are pretended only in the MPI world";
  }

  ShmLayout layout_;
  std::vector<void*> segments_;
};

TEST_P(ShmSegment, EachCoreOfTheLocaleHasOne) {
  EXPECT_EQ(segments_.size(), static_cast<size_t>(locale_cores()));
}

TEST_P(ShmSegment, BeginsWithEmptyRings) {
  for (void* segment : segments_) {
    for (Core from = 0; from < locale_cores(); ++from) {
      for (uint32_t k = 0; k < layout_.inbound_entries; ++k) {
        EXPECT_EQ(layout_.inbound(segment, from)[k].load(), 0u);
      }
      for (uint32_t k = 0; k < layout_.return_entries; ++k) {
        EXPECT_EQ(layout_.returned(segment, from)[k].load(), 0u);
      }
    }
  }
}

TEST_P(ShmSegment, IsTheSameMemoryForAllCoresOfTheLocale) {
  const Core me = locale_mycore();
  for (Core to = 0; to < locale_cores(); ++to) {
    layout_.inbound(segments_[static_cast<size_t>(to)], me)
        ->store(static_cast<uint32_t>(1 + 100 * to + me));
  }
  detail::world().barrier();
  for (Core from = 0; from < locale_cores(); ++from) {
    EXPECT_EQ(layout_.inbound(segments_[static_cast<size_t>(me)], from)->load(),
              static_cast<uint32_t>(1 + 100 * me + from));
  }
}

TEST_P(ShmSegment, IsNotTheSameMemoryAsInAnotherLocale) {
  layout_.buffer(segments_[0], 0)->used_bytes = 0;
  detail::world().barrier();
  if (locale_mycore() == 0) layout_.buffer(segments_[0], 0)->used_bytes = 1000u + mylocale();
  detail::world().barrier();
  EXPECT_EQ(layout_.buffer(segments_[0], 0)->used_bytes, 1000u + mylocale());
}

INSTANTIATE_TEST_SUITE_P(CoresPerLocale, ShmSegment, testing::Values(0, 1, 2));

}  // namespace
}  // namespace Grappa
