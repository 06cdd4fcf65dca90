#include "system/base/growing_ring.hpp"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace Grappa {

using namespace detail;

namespace {

TEST(GrowingRing, StartsEmpty) {
  GrowingRing<int> ring;
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.size(), 0u);
}

TEST(GrowingRing, IsFirstInFirstOut) {
  GrowingRing<int> ring;
  for (int k = 0; k < 10; ++k) ring.push_back(k);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(ring.pop_front(), k);
  EXPECT_TRUE(ring.empty());
}

TEST(GrowingRing, KeepsTheOrderWhenItGrowsWhileWrapped) {
  GrowingRing<int> ring;
  for (int k = 0; k < 40; ++k) ring.push_back(-1);
  for (int k = 0; k < 40; ++k) ring.pop_front();
  for (int k = 0; k < 1000; ++k) ring.push_back(k);  // wraps around the end, then doubles
  EXPECT_EQ(ring.size(), 1000u);
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(ring.pop_front(), k);
}

TEST(GrowingRing, ReadsFromTheFront) {
  GrowingRing<int> ring;
  for (int k = 0; k < 100; ++k) ring.push_back(k);
  for (int k = 0; k < 30; ++k) ring.pop_front();
  for (int k = 100; k < 120; ++k) ring.push_back(k);
  for (size_t k = 0; k < ring.size(); ++k) EXPECT_EQ(ring[k], static_cast<int>(k) + 30);
}

TEST(GrowingRing, AllocatesNothingBelowItsHighWaterMark) {
  GrowingRing<int> ring;
  for (int k = 0; k < 64; ++k) ring.push_back(k);
  const int* first_slot = &ring[0];
  for (int turn = 0; turn < 64; ++turn) {
    ring.pop_front();
    ring.push_back(turn);
  }
  EXPECT_EQ(&ring[0], first_slot);
}

TEST(GrowingRing, PopsTheNewestElementFromTheBack) {
  GrowingRing<int> ring;
  for (int k = 0; k < 100; ++k) ring.push_back(k);
  EXPECT_EQ(ring.pop_back(), 99);
  EXPECT_EQ(ring.pop_front(), 0);
  EXPECT_EQ(ring.pop_back(), 98);
  ring.push_back(7);
  EXPECT_EQ(ring.pop_back(), 7);
  EXPECT_EQ(ring.size(), 97u);
}

TEST(GrowingRing, AcceptsItsOwnElementWhileItGrows) {
  struct Large {
    uint64_t words[16];
  };
  GrowingRing<Large> ring;
  Large first = {};
  for (uint64_t& word : first.words) word = 12345;
  ring.push_back(first);
  while (!ring.full()) ring.push_back(Large());
  ring.push_back(ring[0]);
  for (uint64_t word : ring[ring.size() - 1].words) EXPECT_EQ(word, 12345u);
}

TEST(GrowingRing, AgreesWithADeque) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  GrowingRing<uint64_t> ring;
  std::deque<uint64_t> model;
  int differences = 0;
  for (int step = 0; step < 100000; ++step) {
    const bool growing = (step / 5000) % 2 == 0;
    const bool push = random() % 8 < (growing ? 5u : 3u);
    if (push) {
      ring.push_back(model.size() * 1000003 + random() % 1000);
      model.push_back(ring[ring.size() - 1]);
    } else if (!model.empty()) {
      differences += ring.pop_front() != model.front();
      model.pop_front();
    }
    differences += ring.size() != model.size();
    if (!model.empty()) {
      const size_t k = random() % model.size();
      differences += ring[k] != model[k];
    }
  }
  EXPECT_EQ(differences, 0);
}

TEST(GrowingRing, ExchangesElementsAcrossTheEndOfTheSlots) {
  GrowingRing<uint64_t> ring;
  for (uint64_t k = 0; k < 100; ++k) {  // the slots begin again after 64
    ring.push_back(k);
    if (k < 60) ring.pop_front();
  }
  ring.exchange(0, 39);
  ring.exchange(1, 1);
  EXPECT_EQ(99u, ring[0]);
  EXPECT_EQ(61u, ring[1]);
  EXPECT_EQ(60u, ring[39]);
}

}  // namespace
}  // namespace Grappa
