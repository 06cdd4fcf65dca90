#include "system/global/call_each.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;

constexpr int64_t kWords =
    1000;  // more than the calls in progress, and no multiple of their number

TEST(CallEach, PassesTheResultsInTheOrderOfTheIndices) {
  const auto words = global_alloc<int64_t>(kWords);
  forall(words, kWords, [](int64_t i, int64_t& word) { word = 100 + i; });
  for (int64_t round = 0; round < 2; ++round) {
    std::vector<int64_t> found;
    delegate::call_each(
        0, kWords, [words](int64_t i) { return words + i; }, [](int64_t& word) { return word++; },
        [&found](int64_t i, int64_t word) {
          EXPECT_EQ(static_cast<int64_t>(found.size()), i);
          found.push_back(word);
        });
    ASSERT_EQ(static_cast<size_t>(kWords), found.size());
    for (int64_t i = 0; i < kWords; ++i) EXPECT_EQ(100 + i + round, found[static_cast<size_t>(i)]);
  }
  global_free(words);
}

TEST(CallEach, CallsOnlyTheGivenIndices) {
  const auto words = global_alloc<int64_t>(20);
  forall(words, 20, [](int64_t& word) { word = 0; });
  const auto address = [words](int64_t i) { return words + i; };
  const auto body = [](int64_t& word) { return ++word; };
  int64_t used = 0;
  const auto use = [&used](int64_t, int64_t) { ++used; };
  delegate::call_each(5, 0, address, body, use);
  EXPECT_EQ(0, used);
  delegate::call_each(5, 3, address, body, use);
  EXPECT_EQ(3, used);
  for (int64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(i >= 5 && i < 8 ? 1 : 0, delegate::read(words + i));
  }
  global_free(words);
}

struct Large {
  int64_t numbers[500];
};

TEST(CallEach, ReturnsLargeResults) {
  const auto words = global_alloc<int64_t>(100);
  forall(words, 100, [](int64_t i, int64_t& word) { word = i; });
  int64_t sum = 0;
  delegate::call_each(
      0, 100, [words](int64_t i) { return words + i; },
      [](const int64_t& word) {
        Large large = {};
        large.numbers[499] = word;
        return large;
      },
      [&sum](int64_t, const Large& large) { sum += large.numbers[499]; });
  EXPECT_EQ(99 * 100 / 2, sum);
  global_free(words);
}

TEST(CallEach, RunsBodiesThatSuspend) {
  const auto words = global_alloc<int64_t>(200);
  forall(words, 200, [](int64_t i, int64_t& word) { word = i; });
  int64_t sum = 0;
  delegate::call_each(
      0, 200, [words](int64_t i) { return words + i; },
      [](const int64_t& word) {
        yield();
        return word;
      },
      [&sum](int64_t, int64_t word) {
        yield();
        sum += word;
      });
  EXPECT_EQ(199 * 200 / 2, sum);
  global_free(words);
}

TEST(CallEach, LosesNoUpdateInLoopsOverAllCores) {
  constexpr int64_t kUpdates = 20000, kFew = 50;
  const auto words = global_alloc<int64_t>(kFew);
  forall(words, kFew, [](int64_t& word) { word = 0; });
  forall(0, kUpdates, [words](int64_t first, int64_t count) {
    delegate::call_each(
        first, count, [words](int64_t i) { return words + i * 7 % kFew; },
        [](int64_t& word) { return word++; }, [](int64_t, int64_t) {});
  });
  for (int64_t i = 0; i < kFew; ++i) EXPECT_EQ(kUpdates / kFew, delegate::read(words + i));
  global_free(words);
}

}  // namespace
