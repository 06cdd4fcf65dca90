#include "structures/global_multi_map.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;

typedef GlobalMultiMap<std::string, int64_t> Numbers;
typedef GlobalMultiMap<int64_t, std::string> Texts;
typedef std::vector<int64_t> List;

int64_t seen = 0;
int64_t wrong = 0;
int64_t keys_seen = 0;

std::string word(int64_t k) {
  return std::string(static_cast<size_t>(k % 19), 'w') + std::to_string(k);
}

template <class T>
std::vector<T> sorted(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values;
}

class MultiMaps : public EachMode {};

TEST_P(MultiMaps, HaveEachValueOfEachKeyOnce) {
  const GlobalAddress<Numbers> map = Numbers::create(0, GetParam());
  constexpr int64_t kKeys = 30, kEach = 40;
  on_all_cores([map] {
    const int64_t first = mycore() * kKeys * kEach;
    forall_here(0, kKeys * kEach, [map, first](int64_t k) {
      if (k / kKeys % 2 == 0) {
        map->insert(word(k % kKeys), first + k);
      } else {
        map->insert<async>(word(k % kKeys), first + k);
      }
    });
  });
  EXPECT_EQ(kKeys, map->keys());
  EXPECT_EQ(kKeys * kEach * cores(), map->size());
  for (int64_t key = 0; key < kKeys; ++key) {
    List expected;
    for (int64_t k = key; k < kKeys * kEach * cores(); k += kKeys) expected.push_back(k);
    EXPECT_EQ(expected, sorted(map->values(word(key))));
    EXPECT_EQ(kEach * cores(), map->count(word(key)));
    EXPECT_TRUE(map->contains(word(key)));
  }
  EXPECT_EQ(List(), map->values("absent"));
  EXPECT_EQ(0, map->count("absent"));
  EXPECT_FALSE(map->contains("absent"));
  map->destroy();
}

TEST_P(MultiMaps, KeepTheValuesOfATaskInOrder) {
  const GlobalAddress<Texts> map = Texts::create(100, GetParam());
  std::vector<std::string> expected;
  for (int64_t k = 0; k < 60; ++k) {
    expected.push_back(std::string(static_cast<size_t>(k * k), 'x') + std::to_string(k));
    EXPECT_EQ(k == 0, map->insert(7, expected.back()));
    EXPECT_TRUE(map->insert(100 + k, "other"));
  }
  EXPECT_EQ(expected, map->values(7));
  EXPECT_EQ(60, map->count(7));
  EXPECT_TRUE(map->erase(7));
  EXPECT_FALSE(map->erase(7));
  EXPECT_EQ(60, map->size());
  map->insert(7, "");
  map->insert(7, "");
  EXPECT_EQ(std::vector<std::string>({"", ""}), map->values(7));
  map->clear();
  EXPECT_EQ(0, map->size());
  EXPECT_TRUE(map->empty());
  map->destroy();
}

TEST_P(MultiMaps, UpdateTheListOfAKey) {
  const GlobalAddress<Numbers> map = Numbers::create(0, GetParam());
  for (int64_t k = 0; k < 20; ++k) {
    EXPECT_EQ(0u, map->update(word(k), [](List& list) { return list.size(); }));
    EXPECT_FALSE(map->contains(word(k))) << "an empty list";
    map->update(word(k), [k](List& list) { list = {k, k + 1, k + 2}; });
    EXPECT_EQ(3, map->count(word(k)));
    const int64_t removed = map->update(word(k), [](List& list) {
      const int64_t front = list.front();
      list.erase(list.begin());
      return front;
    });
    EXPECT_EQ(k, removed);
    map->insert(word(k), 100);
    EXPECT_EQ(List({k + 1, k + 2, 100}), map->values(word(k)));
  }
  finish([map] {
    for (int64_t k = 0; k < 20; k += 2) {
      map->update<async>(word(k), [](List& list) { list.clear(); });
    }
  });
  EXPECT_EQ(10, map->keys());
  EXPECT_EQ(30, map->size());
  for (int64_t k = 0; k < 20; ++k) EXPECT_EQ(k % 2 == 1, map->contains(word(k)));
  map->destroy();
}

TEST_P(MultiMaps, VisitTheListOfAPresentKey) {
  const GlobalAddress<Numbers> map = Numbers::create(0, GetParam());
  for (int64_t k = 0; k < 20; ++k) {
    const auto append = [](List& list, int64_t value) { list.push_back(value); };
    EXPECT_FALSE(map->visit(word(k), payload(k), append));
    EXPECT_FALSE(map->contains(word(k)));
    map->insert(word(k), k);
    EXPECT_TRUE(map->visit(word(k), payload(k + 1), append));
    EXPECT_EQ(List({k, k + 1}), map->values(word(k)));
    if (k % 2 == 0) {
      EXPECT_TRUE(map->visit(word(k), [](List& list) { list.clear(); }));
    }
  }
  EXPECT_EQ(10, map->keys());
  finish([map] {
    for (int64_t k = 0; k < 20; ++k) {
      map->visit<async>(word(k), [](List& list) { list.push_back(-1); });
    }
  });
  for (int64_t k = 0; k < 20; ++k) {
    EXPECT_EQ(k % 2 == 0 ? List() : List({k, k + 1, -1}), map->values(word(k)));
  }
  map->destroy();
}

TEST_P(MultiMaps, TakeKeysOfAnyLength) {
  const GlobalAddress<Numbers> map = Numbers::create(0, GetParam());
  int64_t n = 0;
  for (const size_t bytes : {0, 1, 8, 14, 15, 255, 256, 4096, 65536, 70000, 1048576}) {
    const std::string key(bytes, '\0');
    EXPECT_TRUE(map->insert(key, 1)) << bytes << " bytes";
    finish([map, &key] { map->insert<async>(key, 2); });
    EXPECT_EQ(List({1, 2}), map->values(key)) << bytes << " bytes";
    finish([map, &key] { map->update<async>(key, [](List& list) { list.push_back(3); }); });
    EXPECT_EQ(3, map->count(key)) << bytes << " bytes";
    EXPECT_EQ(++n, map->keys());
  }
  for (const size_t bytes : {0, 256, 1048576}) {
    EXPECT_TRUE(map->erase(std::string(bytes, '\0')));
    EXPECT_FALSE(map->contains(std::string(bytes, '\0')));
  }
  EXPECT_EQ(n - 3, map->keys());
  map->destroy();
}

TEST_P(MultiMaps, AppendToOneKeyFromAllCores) {
  const GlobalAddress<Numbers> map = Numbers::create(0, GetParam());
  constexpr int64_t kEach = 20000;
  on_all_cores([map] {
    forall_here(0, kEach, [map](int64_t k) { map->insert<async>("hub", mycore() * kEach + k); });
  });
  const List values = sorted(map->values("hub"));
  ASSERT_EQ(static_cast<size_t>(kEach * cores()), values.size());
  for (size_t k = 0; k < values.size(); ++k) ASSERT_EQ(static_cast<int64_t>(k), values[k]);
  map->destroy();
}

GRAPPA_IN_EACH_MODE(MultiMaps);

TEST(MultiMap, ReturnsTrueForTheFirstValueOfAKey) {
  const GlobalAddress<Numbers> map = Numbers::create();
  const int64_t news = sum_all_cores([map]() -> int64_t {
    int64_t mine = 0;
    forall_here(0, 300, [map, &mine](int64_t k) { mine += map->insert(word(k % 20), k); });
    return mine;
  });
  EXPECT_EQ(20, news);
  map->destroy();
}

/// Every key has the same hash.
struct Hostile {
  size_t operator()(StringView) const { return 5; }
};

TEST(MultiMap, AcceptsAHashWithOneValue) {
  const auto map = GlobalMultiMap<std::string, int64_t, Hostile>::create();
  on_all_cores([map] {
    seen = 0;
    forall_here(0, 2000, [map](int64_t k) { map->insert<async>(word(k), mycore()); });
  });
  map->forall_entries([](StringView, int64_t) { ++seen; });
  EXPECT_EQ(2000 * cores(), sum_all_cores([] { return seen; }));
  EXPECT_EQ(1, sum_all_cores([] { return int64_t{seen != 0}; })) << "all keys have one owner";
  List expected;
  for (Core core = 0; core < cores(); ++core) expected.push_back(core);
  for (int64_t k = 0; k < 2000; k += 100) {
    EXPECT_EQ(expected, sorted(map->values(word(k))));
    EXPECT_TRUE(map->erase(word(k)));
  }
  EXPECT_EQ(1980, map->keys());
  map->destroy();
}

TEST(MultiMap, MayGrowWhileItsSizeIsCounted) {
  const GlobalAddress<Numbers> map = Numbers::create();
  finish([map] {
    for (int64_t k = 0; k < 3000; ++k) map->insert<async>(word(k), k);
  });
  bool ended = false;
  finish([map, &ended] {
    spawn([map, &ended] {
      for (int64_t k = 3000; !ended || k < 3100; ++k) {
        map->insert<async>(word(k), k);
        map->update("absent", [](List& list) { return list.size(); });
        yield();
      }
    });
    EXPECT_LE(3000, map->size());
    ended = true;
  });
  EXPECT_LE(3100, map->size());
  EXPECT_EQ(map->keys(), map->size());
  map->destroy();
}

TEST(MultiMap, IsVisitedByValuesAndByKeysAtTheOwners) {
  const GlobalAddress<Texts> map = Texts::create();
  finish([map] {
    for (int64_t k = 0; k < 300; ++k) map->insert<async>(k / 3, std::to_string(k));
  });
  on_all_cores([] { seen = wrong = keys_seen = 0; });
  map->forall_entries([](int64_t key, const std::string& value) {
    ++seen;
    wrong += std::stoll(value) / 3 != key;
  });
  map->forall_keys([](int64_t key, const std::vector<std::string>& values) {
    ++keys_seen;
    wrong += values.size() != 3;
    for (const std::string& value : values) wrong += std::stoll(value) / 3 != key;
  });
  EXPECT_EQ(300, sum_all_cores([] { return seen; }));
  EXPECT_EQ(100, sum_all_cores([] { return keys_seen; }));
  EXPECT_EQ(0, sum_all_cores([] { return wrong; }));
  EXPECT_EQ(60, map->filter([](int64_t key, const std::vector<std::string>& values) {
    return key < 40 && values.size() == 3;
  }));
  EXPECT_EQ(120, map->size());
  EXPECT_EQ(40, map->keys());
  map->destroy();
}

TEST(MultiMap, TransformsItsValuesAndReturnsItsLargestKeys) {
  typedef std::pair<int64_t, std::vector<std::string>> Entry;
  const auto less = [](const Entry& a, const Entry& b) {
    return a.second.size() != b.second.size() ? a.second.size() < b.second.size()
                                              : a.first < b.first;
  };
  const GlobalAddress<Texts> map = Texts::create();
  EXPECT_TRUE(map->top_k(3, less).empty());
  finish([map] {
    for (int64_t key = 0; key < 100; ++key) {
      for (int64_t k = 0; k <= key; ++k) map->insert<async>(key, std::to_string(k));
    }
  });
  map->transform(
      [](int64_t key, const std::string& value) { return value + " of " + std::to_string(key); });
  const std::vector<Entry> top = map->top_k(3, less);
  ASSERT_EQ(3u, top.size());
  for (int64_t k = 0; k < 3; ++k) {
    std::vector<std::string> values = top[size_t(k)].second, expected;
    EXPECT_EQ(99 - k, top[size_t(k)].first);
    for (int64_t i = 0; i <= 99 - k; ++i) {
      expected.push_back(std::to_string(i) + " of " + std::to_string(99 - k));
    }
    std::sort(values.begin(), values.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(expected, values);
  }
  EXPECT_EQ(100u, map->top_k(1000, less).size());
  EXPECT_EQ(100 * 101 / 2, map->size());
  map->destroy();
}

TEST(MultiMap, HoldsPairsAndVectors) {
  typedef std::pair<std::string, std::vector<int32_t>> Entry;
  const auto map = GlobalMultiMap<std::vector<int32_t>, Entry>::create();
  const std::vector<Entry> expected = {Entry("", {}), Entry("a", {1, 2, 3}), Entry("bb", {4})};
  for (const Entry& entry : expected) map->insert({1, 2}, entry);
  map->insert({1, 2, 0}, Entry("other", {}));
  EXPECT_EQ(expected, map->values({1, 2}));
  EXPECT_EQ(3, map->count({1, 2}));
  EXPECT_FALSE(map->contains({}));
  EXPECT_EQ(2, map->keys());
  map->destroy();
}

TEST(MultiMap, TakesFewBytesBeyondItsKeysAndValues) {
  const GlobalAddress<Numbers> map = Numbers::create();
  const int64_t n = 160000 * cores();
  forall(0, n, [map](int64_t k) { map->insert<async>(word(k / 8), k); });
  int64_t bytes = n * 8;
  for (int64_t k = 0; k < n / 8; ++k) bytes += static_cast<int64_t>(word(k).size());
  EXPECT_LT(bytes, map->memory_bytes());
  // Spare memory of up to a quarter, gaps of up to a third, and 27 bytes for each key.
  const int64_t most = bytes + bytes / 4 + bytes / 3 + 27 * n / 8;
  EXPECT_GE(most + cores() * int64_t{262144}, map->memory_bytes());
  map->destroy();
}

}  // namespace
