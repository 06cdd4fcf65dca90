#include "structures/detail/owner_table.hpp"

#include <Grappa.hpp>

#include <gtest/gtest.h>
#include <vector>

namespace Grappa { namespace detail { namespace {

typedef OwnerTable<int64_t, int64_t, std::hash<int64_t>, std::equal_to<int64_t>> Table;
typedef OwnerTable<int64_t, void, std::hash<int64_t>, std::equal_to<int64_t>> KeyTable;

/// Counts the keys that are in the bucket that place() returns or in one of the next four buckets.
template <class T>
int64_t keys_at_their_place(T& table, int64_t keys, size_t bucket_bytes) {
  int64_t right = 0;
  for (int64_t key = 0; key < keys; ++key) {
    const auto distance = reinterpret_cast<const char*>(&*table->find(key)) -
                          static_cast<const char*>(table.place(key));
    if (distance >= 0 && distance < static_cast<int64_t>(5 * bucket_bytes)) ++right;
  }
  return right;
}

TEST(OwnerTable, LocatesKeysAfterGrowth) {
  Table table;
  KeyTable set;
  table.prefetch(5);  // the key is absent, so this call has no effect
  for (const int64_t keys : {1, 10, 1000, 100000}) {
    for (int64_t key = 0; key < keys; ++key) {
      table->emplace(key, -key);
      set->insert(key);
    }
    EXPECT_GT(keys_at_their_place(table, keys, 24), keys * 97 / 100);
    EXPECT_GT(keys_at_their_place(set, keys, 16), keys * 97 / 100);
  }
  table->clear();
  table.reserve(300000);
  const size_t buckets = table->bucket_count();
  for (int64_t key = 0; key < 300000; ++key) table->emplace(key, key);
  EXPECT_EQ(buckets, table->bucket_count()) << "no growth within the reserved capacity";
  EXPECT_GT(keys_at_their_place(table, 300000, 24), 290000);
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

// The test distributes the keys that one core owns over a table of 64 buckets.
TEST(OwnerTable, SpreadsTheKeysOfACoreOverAllBuckets) {
  constexpr int64_t kKeys = 100000;
  for (Core core = 0; core < cores(); ++core) {
    std::vector<int64_t> in_bucket(64);
    int64_t here = 0;
    for (int64_t key = 0; key < kKeys; ++key) {
      const uint64_t hash = KeyHash<int64_t, std::hash<int64_t>>()(key << 16);
      if (owner_of_hash(hash) != core) continue;
      ++here;
      ++in_bucket[hash % 64];
    }
    EXPECT_NEAR(static_cast<double>(here), static_cast<double>(kKeys / cores()), 1500);
    for (const int64_t n : in_bucket) {
      EXPECT_NEAR(static_cast<double>(n), static_cast<double>(here / 64), 250);
    }
  }
}

}}}  // namespace Grappa::detail
