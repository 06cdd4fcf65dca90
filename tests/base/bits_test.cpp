#include "system/base/units.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

TEST(Bits, RecognizesPowersOfTwo) {
  EXPECT_FALSE(is_power_of_two(0));
  for (int k = 0; k < 64; ++k) EXPECT_TRUE(is_power_of_two(uint64_t{1} << k)) << k;
  for (int k = 2; k < 64; ++k) {
    EXPECT_FALSE(is_power_of_two((uint64_t{1} << k) - 1)) << k;
    EXPECT_FALSE(is_power_of_two((uint64_t{1} << k) + 1)) << k;
  }
}

TEST(Bits, AlignsUpToTheNextMultiple) {
  EXPECT_EQ(align_up(0, 64), 0u);
  EXPECT_EQ(align_up(1, 64), 64u);
  EXPECT_EQ(align_up(64, 64), 64u);
  EXPECT_EQ(align_up(65, 64), 128u);
  EXPECT_EQ(align_up(7, 1), 7u);
  EXPECT_EQ(align_up((uint64_t{1} << 40) + 1, 4096), (uint64_t{1} << 40) + 4096);
}

TEST(Bits, DividesRoundingUp) {
  EXPECT_EQ(div_up(0, 3), 0u);
  EXPECT_EQ(div_up(1, 3), 1u);
  EXPECT_EQ(div_up(3, 3), 1u);
  EXPECT_EQ(div_up(4, 3), 2u);
}

TEST(Bits, ComputesTheFloorOfTheLogarithm) {
  for (int k = 0; k < 64; ++k) {
    EXPECT_EQ(floor_log2(uint64_t{1} << k), k);
    EXPECT_EQ(floor_log2((uint64_t{1} << k) | 1), k);
  }
  EXPECT_EQ(floor_log2(~uint64_t{0}), 63);
}

TEST(Bits, FindsTheNextPowerOfTwo) {
  EXPECT_EQ(next_power_of_two(0), 1u);
  EXPECT_EQ(next_power_of_two(1), 1u);
  EXPECT_EQ(next_power_of_two(2), 2u);
  EXPECT_EQ(next_power_of_two(3), 4u);
  for (int k = 2; k < 63; ++k) {
    const uint64_t power = uint64_t{1} << k;
    EXPECT_EQ(next_power_of_two(power - 1), power);
    EXPECT_EQ(next_power_of_two(power), power);
    EXPECT_EQ(next_power_of_two(power + 1), 2 * power);
  }
}

}  // namespace
}  // namespace Grappa
