#include "structures/detail/owner_table.hpp"

#include <Grappa.hpp>

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

namespace Grappa { namespace detail { namespace {

typedef OwnerTable<int64_t, int64_t, std::hash<int64_t>, std::equal_to<int64_t>> Table;
typedef OwnerTable<int64_t, void, std::hash<int64_t>, std::equal_to<int64_t>> KeyTable;

/// A hash that is so poor that keys share few homes, also after the mixing of KeyHash.
struct PoorHash {
  size_t operator()(int64_t key) const { return static_cast<size_t>(key % 7); }
};
typedef OwnerTable<int64_t, int64_t, PoorHash, std::equal_to<int64_t>> PoorTable;

/// Compares all elements with those of a map, by lookups and by a loop.
template <class T>
void expect_equal(const T& table, const std::map<int64_t, int64_t>& expected) {
  ASSERT_EQ(table.size(), expected.size());
  for (const auto& each : expected) {
    const auto* const entry = table.find(each.first);
    ASSERT_NE(entry, nullptr) << each.first;
    ASSERT_EQ(entry->value, each.second);
  }
  std::map<int64_t, int64_t> visited;
  for (size_t i = table.occupied_from(0); i != table.end(); i = table.occupied_from(i + 1)) {
    ASSERT_TRUE(visited.emplace(table.at(i)->key, table.at(i)->value).second) << "visited twice";
  }
  ASSERT_EQ(visited, expected);
}

/// Inserts and erases random keys below `range`, more often the former. Compares with a map.
template <class T>
void change_at_random(T& table, int64_t range, int changes, int comparisons) {
  std::map<int64_t, int64_t> expected;
  std::mt19937_64 random(static_cast<uint64_t>(range));
  for (int k = 0; k < changes; ++k) {
    const int64_t key = static_cast<int64_t>(random() % static_cast<uint64_t>(range));
    if (random() % 4 == 0) {
      ASSERT_EQ(table.erase(key), expected.erase(key) != 0);
    } else {
      const bool is_new = expected.emplace(key, k).second;
      const auto inserted = table.insert({key, k});
      ASSERT_EQ(inserted.second, is_new);
      ASSERT_EQ(inserted.first->key, key);
      ASSERT_EQ(inserted.first->value, expected[key]);
      inserted.first->value = expected[key] = -k;
    }
    if (k % (changes / comparisons) == 0) expect_equal(table, expected);
  }
  expect_equal(table, expected);
}

TEST(OwnerTable, HoldsTheElementsOfAMap) {
  for (const int64_t range : {1, 10, 100, 3000, 1000000}) {
    Table table;
    change_at_random(table, range, 20000, 40);
    table.clear();
    change_at_random(table, range / 2 + 1, 5000, 10);
  }
}

// The table is compared after each change, so also in each state of its growth.
TEST(OwnerTable, HoldsTheElementsOfAMapWhileItGrows) {
  Table table;
  change_at_random(table, 100000, 1500, 1500);
}

TEST(OwnerTable, AcceptsPoorHashes) {
  PoorTable table;
  change_at_random(table, 3000, 3000, 300);
}

TEST(OwnerTable, IsEmptyInitially) {
  Table table;
  table.prefetch(5);  // the key is absent, so this call has no effect
  EXPECT_EQ(table.find(5), nullptr);
  EXPECT_FALSE(table.erase(5));
  EXPECT_EQ(table.occupied_from(0), table.end());
  table.clear();
  EXPECT_EQ(table.size(), 0u);
}

TEST(OwnerTable, FindsMostKeysNearTheirPlace) {
  Table table;
  for (int64_t key = 0; key < 100000; ++key) table.insert({key, -key});
  int64_t near = 0;
  for (int64_t key = 0; key < 100000; ++key) {
    const auto distance =
        reinterpret_cast<const char*>(table.find(key)) - static_cast<const char*>(table.place(key));
    if (distance >= 0 && distance < 5 * 24) ++near;
  }
  EXPECT_GT(near, 95000);
}

TEST(OwnerTable, DoesNotGrowWithinTheReservedCapacity) {
  Table table;
  table.reserve(300000);
  const size_t cells = table.end();
  for (int64_t key = 0; key < 300000; ++key) table.insert({key, key});
  EXPECT_EQ(cells, table.end());
}

// The table grows at 4096 elements. One insert moves the elements of a few hundred cells.
TEST(OwnerTable, GrowsInSmallSteps) {
  Table table;
  std::vector<size_t> cell_of(5200);
  for (int64_t key = 0; key < 5200; ++key) {
    table.insert({key, key});
    if (key < 3900) continue;
    size_t moved = 0;
    for (size_t i = table.occupied_from(0); i != table.end(); i = table.occupied_from(i + 1)) {
      size_t& cell = cell_of[static_cast<size_t>(table.at(i)->key)];
      moved += cell != i;
      cell = i;
    }
    if (key > 3900) {
      ASSERT_LT(moved, 500u) << key;
    }
  }
}

TEST(OwnerTable, VisitsKeysInOrder) {
  KeyTable table;
  std::vector<int64_t> keys;
  for (const size_t n : {0, 1, 63, 64, 65, 128, 1000}) {
    std::vector<size_t> visited;
    keys.resize(n, 7);
    table.for_each_key(
        n, [&keys](size_t i) -> const int64_t& { return keys.at(i); },
        [&visited](size_t i) { visited.push_back(i); });
    ASSERT_EQ(n, visited.size());
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(i, visited[i]);
  }
}

// The test distributes the keys that one core owns over a table of 64 cells.
TEST(OwnerTable, SpreadsTheKeysOfACoreOverAllCells) {
  constexpr int64_t kKeys = 100000;
  for (Core core = 0; core < cores(); ++core) {
    std::vector<int64_t> in_cell(64);
    int64_t here = 0;
    for (int64_t key = 0; key < kKeys; ++key) {
      const uint64_t hash = KeyHash<int64_t, std::hash<int64_t>>()(key << 16);
      if (owner_of_hash(hash) != core) continue;
      ++here;
      ++in_cell[static_cast<uint32_t>(hash) >> 26];
    }
    EXPECT_NEAR(static_cast<double>(here), static_cast<double>(kKeys / cores()), 1500);
    for (const int64_t n : in_cell) {
      EXPECT_NEAR(static_cast<double>(n), static_cast<double>(here / 64), 250);
    }
  }
}

}}}  // namespace Grappa::detail
