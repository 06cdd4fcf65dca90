#include "system/global/cache.hpp"

#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using namespace Grappa;

typedef Incoherent<int64_t> Words;

class CacheTest : public testing::Test {
 protected:
  static constexpr int64_t kWords = 5000;

  CacheTest() : array(global_alloc<int64_t>(kWords)) {
    forall(array, int64_t{kWords}, [](int64_t i, int64_t& word) { word = 10 * i; });
  }
  ~CacheTest() override { global_free(array); }

  /// True if `core` owns an element of [array + 5, array + 5 + n).
  bool has_part(int64_t n, Core core) const {
    return LocalSpan<int64_t>(array + 5, n, core).size() > 0;
  }

  int64_t read(int64_t k) const { return delegate::read(array + k); }

  const GlobalAddress<int64_t> array;
};

constexpr int64_t CacheTest::kWords;

TEST_F(CacheTest, ReadsAnyRange) {
  std::mt19937_64 random(3);
  for (int turn = 0; turn < 60; ++turn) {
    const int64_t n = 1 + static_cast<int64_t>(random() % (turn % 4 == 0 ? kWords : 40));
    const int64_t first = static_cast<int64_t>(random() % uint64_t(kWords - n + 1));
    Words::RO cache(array + first, n);
    cache.block_until_acquired();
    for (int64_t k = 0; k < n; ++k) ASSERT_EQ(10 * (first + k), cache[k]) << "seed 3 " << turn;
  }
}

TEST_F(CacheTest, WritesOnlyItsOwnElements) {
  std::mt19937_64 random(4);
  for (int turn = 0; turn < 40; ++turn) {
    const int64_t n = 1 + static_cast<int64_t>(random() % (turn % 4 == 0 ? 4000 : 40));
    const int64_t first = 1 + static_cast<int64_t>(random() % uint64_t(kWords - n - 1));
    {
      Words::WO cache(array + first, n);
      for (int64_t k = 0; k < n; ++k) cache[k] = -k - turn;
    }
    for (const int64_t k : {int64_t{0}, n / 2, n - 1}) ASSERT_EQ(-k - turn, read(first + k));
    const GlobalAddress<int64_t> words = array;
    forall(words, int64_t{kWords}, [=](int64_t i, int64_t& word) {
      EXPECT_EQ(first <= i && i < first + n ? -(i - first) - turn : 10 * i, word) << "seed 4";
      word = 10 * i;
    });
  }
}

TEST_F(CacheTest, ReadsAndWritesBack) {
  {
    Words::RW cache(array + 7, 100);
    for (int64_t k = 0; k < 100; ++k) cache[k] += 1;
    EXPECT_EQ(70, read(7)) << "the release writes back";
  }
  EXPECT_EQ(60, read(6));
  EXPECT_EQ(71, read(7));
  EXPECT_EQ(1061, read(106));
  EXPECT_EQ(1070, read(107));
}

TEST_F(CacheTest, AcceptsA2DAddress) {
  for (Core core = 0; core < cores(); ++core) {
    auto word = delegate::call(core, [] { return make_global(new int64_t[3]()); });
    {
      Words::RW cache(word, 3);
      cache[1] = 5;
    }
    EXPECT_EQ(5, delegate::read(word + 1));
    delegate::call(core, [word] { delete[] word.pointer(); });
  }
}

TEST_F(CacheTest, MayBeUsedFromAnyCore) {
  const GlobalAddress<int64_t> words = array;
  on_all_cores([words] {
    Words::RW cache(words + 100 * mycore(), 100);
    for (int64_t k = 0; k < 100; ++k) {
      EXPECT_EQ(10 * (100 * mycore() + k), cache[k]);
      cache[k] = mycore();
    }
  });
  for (Core core = 0; core < cores(); ++core) EXPECT_EQ(core, read(100 * core + 99));
}

TEST_F(CacheTest, ConvertsToAPointerLikeAPlainArray) {
  Words::RO cache(array + 3, 10);
  const int64_t* words = cache;
  EXPECT_EQ(30, *cache);
  EXPECT_EQ(40, words[1]);
  const int one = 1;
  const size_t two = 2;
  EXPECT_EQ(40, cache[one]);
  EXPECT_EQ(50, cache[two]);
  static_assert(std::is_same<decltype(*cache), const int64_t&>::value, "what RO has is const");
  static_assert(!std::is_copy_constructible<Words::RO>::value, "");
  struct Pair {
    int64_t a, b;
  };
  Incoherent<Pair>::RO pair(static_cast<GlobalAddress<Pair>>(array + 2), 1);
  EXPECT_EQ(30, pair->b);
}

TEST_F(CacheTest, UsesTheCallersBuffer) {
  int64_t buffer[20];
  {
    Words::RW cache(array + 5, 20, buffer);
    cache.block_until_acquired();
    EXPECT_EQ(50, buffer[0]);
    buffer[1] = 1;
    EXPECT_EQ(buffer, static_cast<int64_t*>(cache));
  }
  EXPECT_EQ(1, read(6));
  buffer[0] = 77;
  { Words::WO cache(array + 50, 20, buffer); }
  EXPECT_EQ(77, read(50)) << "a WO cache writes its buffer back";
  EXPECT_EQ(240, buffer[19]);
  EXPECT_EQ(240, read(69));
}

TEST_F(CacheTest, WritesNothingBackIfUntouched) {
  { Words::WO cache(array, 100); }
  { Words::RW cache(array, 100); }
  EXPECT_EQ(990, read(99));
}

TEST_F(CacheTest, ReadsNewValuesWhenItIsAcquiredAgain) {
  Words::RO cache(array + 9, 1);
  EXPECT_EQ(90, cache[0]);
  delegate::write(array + 9, 1);
  EXPECT_EQ(90, cache[0]) << "the cache is a copy";
  cache.block_until_released();
  cache.start_acquire();
  EXPECT_EQ(1, cache[0]);
}

TEST_F(CacheTest, ResetsToAnotherRange) {
  Words::RW cache;
  EXPECT_EQ(0, cache.count());
  for (const int64_t first : {3, 100, 7}) {
    cache.reset(array + first, first);
    cache[first - 1] += 1;
  }
  cache.reset(GlobalAddress<int64_t>(), 0);
  EXPECT_EQ(51, read(5));
  EXPECT_EQ(1991, read(199));
  EXPECT_EQ(131, read(13));
}

TEST_F(CacheTest, MayBeReleasedWhileItIsBeingAcquired) {
  Words::RW cache(array + 4, 60);
  cache.start_acquire();
  cache.start_release();
  cache.block_until_released();
  EXPECT_EQ(40, read(4));
}

TEST_F(CacheTest, MayBeSharedByTheTasksOfACore) {
  Words::RO cache(array, kWords);
  finish([&cache] {
    for (int64_t task = 0; task < 8; ++task) {
      spawn([&cache, task] {
        for (int64_t k = task; k < kWords; k += 8) EXPECT_EQ(10 * k, cache[k]);
      });
    }
  });
}

TEST_F(CacheTest, WorksInAHandler) {
  const GlobalAddress<int64_t> words = array;
  const int64_t sum = delegate::call(static_cast<Core>(cores() - 1), [words] {
    Words::RO cache(words, 1000);
    int64_t total = 0;
    for (int64_t k = 0; k < 1000; ++k) total += cache[k];
    return total;
  });
  EXPECT_EQ(10 * 999 * 500, sum);
}

TEST_F(CacheTest, SendsOneMessageForEachOtherOwnerInEachDirection) {
  const auto moved = [] {
    return sum_all_cores([] { return int64_t(counted("global.bulk_messages")); });
  };
  for (const int64_t n : {1, 8, 100, 200}) {
    int64_t owners = 0;
    for (Core core = 0; core < cores(); ++core) owners += core != 0 && has_part(n, core) ? 1 : 0;
    const int64_t before = moved();
    {
      Words::RW cache(array + 5, n);
      cache.block_until_acquired();
      EXPECT_EQ(owners, moved() - before) << n;
    }
    EXPECT_EQ(2 * owners, moved() - before) << n;
  }
}

/// The size is not a power of two. Such types are permitted in memory of one core.
struct Triple {
  int64_t a, b, c;
};

TEST_F(CacheTest, HoldsElementsOfAnySize) {
  const auto bits = static_cast<GlobalAddress<bool>>(array);
  {
    Incoherent<bool>::WO cache(bits + 3, 90);
    EXPECT_EQ(bits + 3, cache.address());
    EXPECT_EQ(90, cache.count());
    for (int64_t k = 0; k < 90; ++k) cache[k] = k % 3 == 0;
  }
  Incoherent<bool>::RO cache(bits + 3, 90);
  for (int64_t k = 0; k < 90; ++k) EXPECT_EQ(k % 3 == 0, cache[k]);
  Incoherent<bool>::RO none(bits, 0);
  EXPECT_EQ(0, none.count());

  static Triple triples[10];  // each core has its own instance
  const auto there = make_global(triples, static_cast<Core>(cores() - 1));
  {
    Incoherent<Triple>::RW some(there + 4, 3, nullptr);
    some->a = 1;
    (*some).b = 2;
    some[2].c = 3;
  }
  EXPECT_EQ(1, delegate::read(there + 4).a);
  EXPECT_EQ(2, delegate::read(there + 4).b);
  EXPECT_EQ(3, delegate::read(there + 6).c);
}

}  // namespace
