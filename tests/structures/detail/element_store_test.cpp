#include "structures/detail/element_store.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <utility>
#include <vector>

namespace Grappa { namespace detail { namespace {

struct Stretch {
  char* first;
  int64_t n;
};

/// A fixture with a store of elements of 8 bytes.
class Store : public testing::Test {
 protected:
  Store() : store(8) {}

  std::vector<Stretch> append(int64_t n) {
    std::vector<Stretch> runs;
    while (n != 0) {
      int64_t stored = n;
      char* first = store.append(&stored);
      std::memset(first, 1, static_cast<size_t>(stored) * 8);
      runs.push_back({first, stored});
      n -= stored;
    }
    return runs;
  }
  void release(const std::vector<Stretch>& runs) {
    for (const Stretch& run : runs) store.release(run.first, run.n);
  }
  /// Removes the last `n` elements, as a stack does.
  void release_last(std::vector<Stretch>* runs, int64_t n) {
    while (n != 0) {
      Stretch& last = runs->back();
      const int64_t taken = std::min(n, last.n);
      last.n -= taken;
      store.release(last.first + last.n * 8, taken);
      n -= taken;
      if (last.n == 0) runs->pop_back();
    }
  }

  ElementStore store;
};

TEST_F(Store, GivesEachElementItsOwnAddress) {
  std::set<char*> places;
  int64_t n = 0;
  for (int round = 0; round < 100; ++round) {
    for (const Stretch& run : append(777)) {
      for (int64_t i = 0; i < run.n; ++i) places.insert(run.first + 8 * i);
      n += run.n;
    }
  }
  EXPECT_EQ(77700, n);
  EXPECT_EQ(77700u, places.size());
}

TEST_F(Store, StoresABatchContiguously) {
  append(10);
  const std::vector<Stretch> runs = append(1024);
  EXPECT_EQ(1u, runs.size());
}

TEST_F(Store, ReusesPagesWhenAllTheirElementsAreRemoved) {
  std::vector<std::vector<Stretch>> queue;
  for (int i = 0; i < 10; ++i) queue.push_back(append(1000));
  const size_t bytes = store.bytes();
  for (size_t i = 0; i < 10000; ++i) {
    release(queue[i % 10]);
    queue[i % 10] = append(1000);
  }
  EXPECT_LE(store.bytes(), 2 * bytes);
}

TEST_F(Store, ReusesSpaceBehindRemainingElements) {
  std::vector<Stretch> stack;
  for (int i = 0; i < 1000; ++i) {
    const std::vector<Stretch> more = append(3000);
    stack.insert(stack.end(), more.begin(), more.end());
    release_last(&stack, 2999);
  }
  EXPECT_LE(store.bytes(), 16u * 16384);
}

TEST_F(Store, AcceptsRemovalsInAnyOrder) {
  std::set<char*> live;
  std::vector<Stretch> runs;
  for (int round = 0; round < 3000; ++round) {
    for (const Stretch& run : append(97)) {
      runs.push_back(run);
      for (int64_t i = 0; i < run.n; ++i) ASSERT_TRUE(live.insert(run.first + 8 * i).second);
    }
    if (runs.size() < 50) continue;
    const size_t taken = static_cast<size_t>(round * 31) % runs.size();
    for (int64_t i = 0; i < runs[taken].n; ++i) live.erase(runs[taken].first + 8 * i);
    release({runs[taken]});
    std::swap(runs[taken], runs.back());
    runs.pop_back();
  }
}

TEST_F(Store, AcceptsElementsLargerThanAPage) {
  ElementStore large(50000);
  int64_t n = 100;
  char* first = large.append(&n);
  EXPECT_GE(n, 1);
  std::memset(first, 1, static_cast<size_t>(n) * 50000);
  large.release(first, n);
}

TEST_F(Store, ReservesAddressSpace) {
  store.reserve(1000000);
  append(1000000);
  EXPECT_LE(store.bytes(), 1000000 * 8 / 10 * 11);
}

}}}  // namespace Grappa::detail
