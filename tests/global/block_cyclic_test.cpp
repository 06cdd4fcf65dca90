#include "system/global/address.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using Grappa::block_size;
using Grappa::Core;
using Grappa::detail::BlockCyclic;

TEST(BlockCyclic, DistributesBlocksRoundRobin) {
  const BlockCyclic three(3);
  EXPECT_EQ(0, three.core(0));
  EXPECT_EQ(0, three.core(63));
  EXPECT_EQ(1, three.core(64));
  EXPECT_EQ(2, three.core(128));
  EXPECT_EQ(0, three.core(192));
  EXPECT_EQ(64u, three.local_offset(192)) << "the second block of core 0";
  EXPECT_EQ(71u, three.local_offset(199));
}

TEST(BlockCyclic, MatchesPlainDivisionForAnyNumberOfCores) {
  const unsigned seed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (const int cores : {1, 2, 3, 4, 5, 6, 7, 8, 12, 100, 127, 128, 1000, 32767}) {
    const BlockCyclic deal(static_cast<Core>(cores));
    for (int k = 0; k < 1000; ++k) {
      const uint64_t offset = random() >> (2 + random() % 40);
      const uint64_t block = offset / block_size;
      ASSERT_EQ(static_cast<Core>(block % uint64_t(cores)), deal.core(offset)) << cores;
      const uint64_t local = block / uint64_t(cores) * block_size + offset % block_size;
      ASSERT_EQ(local, deal.local_offset(offset)) << cores;
      ASSERT_EQ(offset, deal.linear_offset(deal.core(offset), local)) << cores;
    }
  }
}

/// Visits each block of the heap in order, and counts the bytes of each core.
TEST(BlockCyclic, LocalBlocksAreContiguousForAnyNumberOfCores) {
  for (int cores = 1; cores <= 1000; ++cores) {
    const BlockCyclic deal(static_cast<Core>(cores));
    std::vector<uint64_t> dealt(static_cast<size_t>(cores), 0);
    int next = 0;
    for (uint64_t block = 0; block < 3 * uint64_t(cores) + 2; ++block) {
      const uint64_t offset = block * block_size + block % block_size;
      ASSERT_EQ(next, deal.core(offset)) << cores << " cores, block " << block;
      uint64_t& mine = dealt[static_cast<size_t>(next)];
      ASSERT_EQ(mine * block_size + block % block_size, deal.local_offset(offset)) << cores;
      ASSERT_EQ(offset, deal.linear_offset(static_cast<Core>(next), deal.local_offset(offset)));
      ++mine;
      next = next + 1 == cores ? 0 : next + 1;
    }
  }
}

}  // namespace
