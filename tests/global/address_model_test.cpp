/// Compares addresses of linear arrays with a model that visits each byte of the heap.

#include "system/global/address.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// Sets the number of cores of the job to `n`. The tests use only arithmetic and need no runtime.
void pretend_cores(int n) {
  detail::the_topology.cores = static_cast<Core>(n);
  detail::the_known_topology = &detail::the_topology;
  detail::the_block_cyclic = BlockCyclic(static_cast<Core>(n));
}

class AddressModel : public testing::Test {
 protected:
  ~AddressModel() override { pretend_cores(1); }
  std::mt19937_64 random_{11};
};

template <class T>
void walk(int cores, uint64_t first_offset, int64_t n) {
  const auto base = GlobalAddress<T>::from_raw(first_offset);
  uint64_t offset = first_offset;
  for (int64_t k = 0; k < n; ++k, offset += sizeof(T)) {
    const auto element = base + k;
    const uint64_t block = offset / block_size;
    ASSERT_EQ(static_cast<Core>(block % uint64_t(cores)), element.core()) << cores;
    const uint64_t place = block / uint64_t(cores) * block_size + offset % block_size;
    ASSERT_EQ(kHeapBase + place, reinterpret_cast<uint64_t>(element.pointer())) << cores;
    ASSERT_EQ(block * block_size, element.block_min().raw_bits());
    ASSERT_EQ((block + 1) * block_size, element.block_max().raw_bits());
    ASSERT_EQ(offset + sizeof(T) - 1, element.last_byte().raw_bits());
  }
}

TEST_F(AddressModel, MatchesTheModelForEachNumberOfCores) {
  for (int cores = 1; cores <= 1000; ++cores) {
    pretend_cores(cores);
    const uint64_t first = random_() % (uint64_t{1} << 40) / 64 * 64;
    walk<char>(cores, first + random_() % 64, 100);
    walk<int32_t>(cores, first + 4 * (random_() % 16), 100);
    walk<int64_t>(cores, first + 8 * (random_() % 8), 100);
    struct Line {
      char bytes[64];
    };
    walk<Line>(cores, first, 2 * cores + 1);
  }
}

TEST_F(AddressModel, CountsTheElementsBetweenAnyTwoAddresses) {
  for (int cores = 1; cores <= 1000; ++cores) {
    pretend_cores(cores);
    const auto base = GlobalAddress<int64_t>::from_raw(uint64_t{1} << 45);
    for (int k = 0; k < 20; ++k) {
      const int64_t a = static_cast<int64_t>(random_() >> 22) - (int64_t{1} << 41);
      const int64_t b = static_cast<int64_t>(random_() >> 22) - (int64_t{1} << 41);
      const auto first = base + a / 8, second = base + b / 8;
      ASSERT_EQ(b / 8 - a / 8, second - first);
      ASSERT_EQ(a / 8 - b / 8, first - second);
      ASSERT_TRUE(first + (second - first) == second);
      ASSERT_EQ(a / 8 < b / 8, first < second);
      ASSERT_EQ(a / 8 <= b / 8, first <= second);
      ASSERT_EQ(a / 8 > b / 8, first > second);
      ASSERT_EQ(a / 8 >= b / 8, first >= second);
    }
  }
}

TEST_F(AddressModel, LocalizesToTheNextElementOfACore) {
  for (int cores = 1; cores <= 1000; ++cores) {
    pretend_cores(cores);
    const auto base = GlobalAddress<int64_t>::from_raw(random_() % (uint64_t{1} << 40) / 8 * 8);
    const Core core = static_cast<Core>(random_() % uint64_t(cores));
    auto next = base;
    while (next.core() != core) next = next.block_max();
    ASSERT_EQ(next.pointer(), base.localize(core)) << cores << " cores, " << base;
  }
}

TEST_F(AddressModel, SpansContainTheElementsOfEachCore) {
  for (int cores = 1; cores <= 1000; cores += cores < 20 ? 1 : 37) {
    pretend_cores(cores);
    const auto base =
        GlobalAddress<int32_t>::from_raw(uint64_t(cores) * 64 + random_() % 64 / 4 * 4);
    const int64_t n = static_cast<int64_t>(random_() % (20 * uint64_t(cores)));
    std::vector<std::vector<int64_t>> owned(static_cast<size_t>(cores));
    for (int64_t k = 0; k < n; ++k) owned[static_cast<size_t>((base + k).core())].push_back(k);
    for (Core core = 0; core < cores; ++core) {
      const LocalSpan<int32_t> span(base, n, core);
      std::vector<int64_t> indices;
      for (const int32_t& element : span) indices.push_back(span.index_of(&element));
      ASSERT_EQ(owned[static_cast<size_t>(core)], indices) << cores << " cores, core " << core;
    }
  }
}

TEST_F(AddressModel, SubtractsAddressesOfOneCore) {
  pretend_cores(4);
  int64_t words[10];
  const auto first = make_global(&words[2], 3), last = make_global(&words[9], 3);
  EXPECT_EQ(7, last - first);
  EXPECT_EQ(-7, first - last);
  EXPECT_TRUE(first < last && last >= first);
  EXPECT_TRUE(last - 7 == first);
  EXPECT_EQ(3, (last - 7).core());
}

TEST_F(AddressModel, RejectsTheDifferenceOfTwoCores) {
  pretend_cores(4);
  int64_t word;
  EXPECT_DEATH(static_cast<void>(make_global(&word, 1) - make_global(&word, 2)), "of two cores");
}

TEST(GlobalAddressDeathTest, RejectsTheDifferenceOfLinearAnd2DAddresses) {
  int64_t word;
  const auto object = make_global(&word, 0);
  const auto element = GlobalAddress<int64_t>::from_raw(4096);
  EXPECT_DEATH(static_cast<void>(object - element), "or of a linear and a 2D address");
  EXPECT_DEATH(static_cast<void>(element - object), "or of a linear and a 2D address");
}

TEST(GlobalAddressDeathTest, MakeLinearRejectsAStackPointer) {
  int64_t word;
  EXPECT_DEATH(make_linear(&word), "make_linear of .*, which is not in the global heap: use make_");
}

TEST(GlobalAddressDeathTest, LocalizeRejectsA2DAddress) {
  int64_t word;
  EXPECT_DEATH(make_global(&word, 0).localize(0), "localize of a 2D address");
}

}  // namespace
