#include "structures/graph/edge_weight.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace Grappa { namespace {

TEST(EdgeWeight, IsTheSameFromBothEndpoints) {
  for (VertexID v = 0; v < 1000; ++v) {
    EXPECT_EQ(edge_weight(v, v * v + 1, 3, 255), edge_weight(v * v + 1, v, 3, 255));
  }
}

TEST(EdgeWeight, DependsOnBothEndpointsAndOnTheSeed) {
  int64_t same = 0;
  for (VertexID v = 1; v <= 1000; ++v) {
    const int64_t weight = edge_weight(0, v, 1, int64_t{1} << 62);
    same += weight == edge_weight(0, v + 1, 1, int64_t{1} << 62);
    same += weight == edge_weight(1, v, 1, int64_t{1} << 62);
    same += weight == edge_weight(0, v, 2, int64_t{1} << 62);
  }
  EXPECT_EQ(same, 0);
}

// A chi-squared variable with 254 degrees of freedom has the mean 254 and the deviation 23.
TEST(EdgeWeight, TakesEachValueFrom1ToTheLargestEquallyOften) {
  constexpr int64_t kLargest = 255, kEach = 400;
  std::vector<int64_t> times(kLargest + 1);
  for (VertexID v = 0; v < kLargest * kEach; ++v) {
    const int64_t weight = edge_weight(v, v + 1, 1, kLargest);
    ASSERT_GE(weight, 1);
    ASSERT_LE(weight, kLargest);
    ++times[size_t(weight)];
  }
  double chi_squared = 0;
  for (int64_t weight = 1; weight <= kLargest; ++weight) {
    const double off = double(times[size_t(weight)] - kEach);
    chi_squared += off * off / kEach;
  }
  EXPECT_LT(chi_squared, 254 + 5 * 23);
  EXPECT_EQ(edge_weight(5, 6, 7, 1), 1);
}

}}  // namespace Grappa
