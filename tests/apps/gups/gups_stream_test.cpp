#include "apps/gups/gups_stream.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace gups { namespace {

TEST(WordOf, IsAlwaysAWordOfTheTable) {
  for (const int log_table : {1, 2, 20, 50}) {
    for (int64_t k = 0; k < 10000; ++k) EXPECT_EQ(word_of(k, log_table) >> log_table, 0u);
  }
}

TEST(WordOf, HitsEachWordAboutEquallyOften) {
  constexpr int kLog = 10;
  // The mean number of hits for each word. The standard deviation is 32.
  constexpr int64_t kHits = 1000;
  std::vector<int64_t> hits(1 << kLog);
  for (int64_t k = 0; k < kHits << kLog; ++k) ++hits[word_of(k, kLog)];
  for (const int64_t of_word : hits) EXPECT_NEAR(double(of_word), double(kHits), 6 * 32);
}

TEST(WordOf, HasNoPatternInConsecutiveUpdates) {
  constexpr int64_t kUpdates = 1 << 20;
  for (int distance = 1; distance <= 16; ++distance) {
    for (int bit = 0; bit < 20; ++bit) {
      int64_t equal = 0;
      for (int64_t k = 0; k < kUpdates; ++k) {
        equal += ((word_of(k, 20) ^ word_of(k + distance, 20)) >> bit & 1) == 0;
      }
      EXPECT_NEAR(double(equal), double(kUpdates / 2), 6 * 512) << distance << ", bit " << bit;
    }
  }
}

}}  // namespace gups
