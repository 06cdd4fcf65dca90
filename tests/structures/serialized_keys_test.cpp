/// Tests of sets and maps whose keys are vectors, pairs and types with a Serialize of the program.

#include "structures/global_map.hpp"
#include "structures/global_multi_map.hpp"
#include "structures/global_set.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/place.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;

/// A key of fixed length that is not an integer.
struct Cell {
  int32_t row, column;
};

int64_t wrong = 0;
int64_t seen = 0;

std::vector<int32_t> numbers(int64_t k) {
  return std::vector<int32_t>(static_cast<size_t>(k % 7), static_cast<int32_t>(k));
}

/// Chooses the owner by the number only.
struct ByNumber {
  size_t operator()(const Place& place) const { return static_cast<size_t>(place.number); }
};

struct ByFirst {
  size_t operator()(const std::vector<int32_t>& key) const {
    return key.empty() ? 0 : static_cast<size_t>(key[0]);
  }
};

struct BySize {
  size_t operator()(const std::vector<char>& key) const { return key.size(); }
};

class SerializedKeys : public EachMode {};

TEST_P(SerializedKeys, MayBeVectorsInASet) {
  typedef GlobalSet<std::vector<int32_t>> Set;
  const GlobalAddress<Set> set = Set::create(0, GetParam());
  const int64_t news = sum_all_cores([set]() -> int64_t {
    int64_t mine = 0;
    forall_here(0, 140, [set, &mine](int64_t k) { mine += set->insert(numbers(k)); });
    return mine;
  });
  EXPECT_EQ(1 + 120, news) << "the empty vector once";
  for (int64_t k = 0; k < 160; ++k) EXPECT_EQ(k < 140 || k % 7 == 0, set->contains(numbers(k)));
  on_all_cores([] { seen = wrong = 0; });
  set->forall_keys([](const std::vector<int32_t>& key) {
    ++seen;
    for (const int32_t n : key) wrong += n != key[0] || static_cast<size_t>(n % 7) != key.size();
  });
  EXPECT_EQ(121, sum_all_cores([] { return seen; }));
  EXPECT_EQ(0, sum_all_cores([] { return wrong; }));
  EXPECT_TRUE(set->erase({}));
  EXPECT_TRUE(set->contains({8}));
  EXPECT_TRUE(set->erase({9, 9}));
  const int32_t tens[] = {10, 10, 10};
  EXPECT_TRUE(set->contains(View<int32_t>(tens, 3)));
  EXPECT_FALSE(set->contains(View<int32_t>(tens, 2)));
  EXPECT_EQ(119, set->size());
  set->destroy();
}

/// The hash selects one owner for all keys, so its table has all of them.
template <class K>
struct OneOwner {
  size_t operator()(const K&) const { return 7; }
};

TEST_P(SerializedKeys, MayAllBelongToOneCore) {
  typedef std::vector<int32_t> Vector;
  const auto vectors = GlobalSet<Vector, OneOwner<Vector>>::create(0, GetParam());
  const auto places = GlobalMap<Place, int64_t, OneOwner<Place>>::create(0, GetParam());
  on_all_cores([vectors, places] {
    forall_here(0, 2000, [vectors, places](int64_t k) {
      vectors->insert({static_cast<int32_t>(k), 1});
      places->insert_or_combine<async>(Place("street", static_cast<int32_t>(k)), 1);
    });
  });
  EXPECT_EQ(2000, vectors->size());
  EXPECT_EQ(2000, places->size());
  int64_t count = 0;
  for (int32_t k = 0; k < 2000; k += 111) {
    EXPECT_TRUE(vectors->erase({k, 1}));
    EXPECT_TRUE(places->lookup(Place("street", k), &count));
    EXPECT_EQ(cores(), count);
  }
  vectors->destroy();
  places->destroy();
}

TEST_P(SerializedKeys, MayHaveAMebibyte) {
  typedef std::vector<int32_t> Vector;
  const auto map = GlobalMap<Vector, int64_t>::create(0, GetParam());
  const auto lists = GlobalMultiMap<Place, int64_t>::create(0, GetParam());
  for (const size_t n : {size_t{0}, size_t{1}, size_t{20000}, size_t{262144}}) {
    const Vector key(n, 1), other(n, 2);
    const Place place(std::string(4 * n - (n == 262144 ? sizeof(int32_t) : 0), 's'));
    map->insert_or_combine(key, 1);
    finish([&] {
      map->insert_or_combine<async>(key, 1);
      lists->insert<async>(place, 1);
    });
    int64_t count = 0;
    EXPECT_TRUE(map->lookup(key, &count));
    EXPECT_EQ(2, count);
    EXPECT_EQ(n == 0, map->contains(other));
    EXPECT_EQ(1, lists->count(place));
    EXPECT_TRUE(map->erase(key));
    EXPECT_TRUE(lists->erase(place));
  }
  map->destroy();
  lists->destroy();
}

TEST_P(SerializedKeys, MayBeVectorsOfCharacters) {
  typedef std::vector<char> Key;
  const auto set = GlobalSet<Key, BySize>::create(0, GetParam());
  EXPECT_TRUE(set->insert({0, 5}));
  EXPECT_TRUE(set->insert({'a', 'b'}));
  EXPECT_TRUE(set->contains(Key{0, 5}));
  EXPECT_FALSE(set->contains({0, 5, 0}));
  set->destroy();
}

TEST_P(SerializedKeys, MayBeVectorsInAMapWithAHashOfTheProgram) {
  typedef GlobalMap<std::vector<int32_t>, int64_t, ByFirst> Map;
  const GlobalAddress<Map> map = Map::create(0, GetParam());
  on_all_cores([map] {
    forall_here(0, 700, [map](int64_t k) { map->insert_or_combine<async>(numbers(k % 70), 1); });
  });
  int64_t count = 0;
  for (int64_t k = 1; k < 7; ++k) {
    EXPECT_TRUE(map->lookup(numbers(k), &count));
    EXPECT_EQ(10 * cores(), count);
  }
  EXPECT_EQ(61, map->size());
  map->forall_entries(
      [](const std::vector<int32_t>& key, int64_t& value) { value = key.empty() ? 0 : key[0]; });
  EXPECT_TRUE(map->lookup({69, 69, 69, 69, 69, 69}, &count));
  EXPECT_EQ(69, count);
  map->destroy();
}

TEST_P(SerializedKeys, MayBeOfATypeOfTheProgramInAMap) {
  typedef GlobalMap<Place, int64_t, ByNumber> Map;
  const GlobalAddress<Map> map = Map::create(0, GetParam());
  on_all_cores([map] {
    forall_here(0, 500, [map](int64_t k) {
      map->insert_or_combine<async>(Place(std::to_string(k % 10), static_cast<int32_t>(k % 3)), 1);
    });
  });
  EXPECT_EQ(30, map->size());
  int64_t sum = 0, n = 0;
  for (int32_t k = 0; k < 30; ++k) {
    EXPECT_TRUE(map->lookup(Place(std::to_string(k % 10), k % 3), &n));
    sum += n;
  }
  EXPECT_EQ(500 * cores(), sum);
  EXPECT_FALSE(map->lookup(Place("0", 3), &n));
  map->forall_entries([](const Place& place, int64_t& count) { count = place.number; });
  EXPECT_TRUE(map->lookup(Place("9", 2), &n));
  EXPECT_EQ(2, n);
  map->destroy();
}

TEST_P(SerializedKeys, OfFixedLengthMayHaveValuesOfVariableLength) {
  const auto map = GlobalMap<Cell, std::string>::create(0, GetParam());
  const auto pairs = GlobalMap<std::pair<int32_t, int32_t>, std::string>::create(0, GetParam());
  for (int32_t k = 0; k < 50; ++k) {
    map->insert(Cell{k, -k}, std::to_string(k));
    pairs->insert({k, -k}, std::to_string(k));
  }
  std::string text;
  for (int32_t k = 0; k < 50; ++k) {
    EXPECT_TRUE(map->lookup(Cell{k, -k}, &text));
    EXPECT_EQ(std::to_string(k), text);
    EXPECT_TRUE(pairs->lookup({k, -k}, &text));
    EXPECT_EQ(std::to_string(k), text);
  }
  EXPECT_FALSE(map->contains(Cell{1, 1}));
  map->destroy();
  pairs->destroy();
}

GRAPPA_IN_EACH_MODE(SerializedKeys);

TEST(SerializedKey, IsCopiedIntoTheLargestEntries) {
  typedef std::pair<std::string, std::string> Key;
  typedef std::pair<Key, int64_t> Entry;
  const auto map = GlobalMap<Key, int64_t>::create();
  for (int64_t k = 0; k < 40; ++k) map->insert(Key("a", std::to_string(k)), k);
  const std::vector<Entry> top =
      map->top_k(2, [](const Entry& a, const Entry& b) { return a.second < b.second; });
  EXPECT_EQ(std::vector<Entry>({Entry(Key("a", "39"), 39), Entry(Key("a", "38"), 38)}), top);
  EXPECT_EQ(20, map->filter([](const Key&, int64_t n) { return n % 2 == 0; }));
  map->destroy();
}

}  // namespace
