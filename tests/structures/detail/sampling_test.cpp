#include "structures/detail/sampling.hpp"

#include <gtest/gtest.h>

namespace Grappa { namespace detail { namespace {

/// Makes `n` operations, of which those that take the path gain 1 in `rarity` times. Returns how
/// many took the path.
template <class S>
int64_t uses_of(S& sampling, int64_t n, int64_t rarity) {
  int64_t uses = 0;
  for (int64_t k = 0; k < n; ++k) {
    if (!sampling.takes()) continue;
    ++uses;
    sampling.count(k % rarity == 0);
  }
  return uses;
}

TEST(Sampling, TakesAPathThatGainsOftenEnough) {
  Sampling<1, 4> sampling;
  EXPECT_EQ(uses_of(sampling, 1000000, 4), 1000000);
  EXPECT_FALSE(sampling.pauses());
}

TEST(Sampling, TakesOneIn16OperationsIfFewerGain) {
  Sampling<1, 4> sampling;
  const int64_t uses = uses_of(sampling, 1 << 20, 5);
  EXPECT_EQ(uses, (1 << 20) / 16);
}

TEST(Sampling, ComparesWithAnyShare) {
  Sampling<3, 4> sampling;
  EXPECT_EQ(uses_of(sampling, 100000, 1), 100000);
  uses_of(sampling, 10000, 2);
  EXPECT_TRUE(sampling.pauses());
}

TEST(Sampling, TakesThePathAgainWhenItGains) {
  Sampling<1, 4> sampling;
  uses_of(sampling, 10000, 100);
  EXPECT_TRUE(sampling.pauses());
  uses_of(sampling, 100000, 1);
  EXPECT_FALSE(sampling.pauses());
  EXPECT_EQ(uses_of(sampling, 10000, 1), 10000);
}

}}}  // namespace Grappa::detail
