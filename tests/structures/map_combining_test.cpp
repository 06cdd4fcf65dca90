#include "structures/global_map.hpp"

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "tests/harness/counted.hpp"
#include "tests/structures/combined_tasks.hpp"
#include "tests/structures/int_map.hpp"
#include "tests/structures/remote_keys.hpp"

#include <gtest/gtest.h>

namespace Grappa { namespace {

typedef IntMap Map;
typedef GlobalAddress<Map> MapAddress;

TEST(CombinedMap, MergesLookupsAndInsertsOfOneKey) {
  if (cores() == 1) return;  // no operation is combined
  const int64_t key = remote_key();
  const MapAddress map = Map::create(0, Combining::Distributed);
  const Gain commits("structures.commits"), duplicates("structures.duplicates");
  int64_t new_keys = 0, right = 0;
  in_tasks(3, [&](int64_t task) { new_keys += map->insert(key, 10 + task) ? 1 : 0; });
  EXPECT_EQ(new_keys, 1);
  EXPECT_EQ(value_of(map, key), 12);
  EXPECT_EQ(duplicates.value(), 3 - (commits.value() - 1));
  in_tasks(5, [&](int64_t) { right += value_of(map, key) == 12 ? 1 : 0; });
  EXPECT_EQ(right, 5);
  EXPECT_EQ(duplicates.value(), 9 - commits.value());
  map->destroy();
}

TEST(CombinedMap, CommitsExactlyFullProxies) {
  for (const int64_t keys : {1023, 1024, 1025, 2048}) {
    const MapAddress map = Map::create(0, Combining::Distributed);
    int64_t new_keys = 0, right = 0;
    in_tasks(keys, [&](int64_t task) { new_keys += map->insert(task, 3 * task) ? 1 : 0; });
    in_tasks(keys, [&](int64_t task) { right += value_of(map, task) == 3 * task ? 1 : 0; });
    in_tasks(keys, [&](int64_t task) { right += value_of(map, -1 - task) == -1 ? 1 : 0; });
    EXPECT_EQ(new_keys, keys);
    EXPECT_EQ(right, 2 * keys);
    EXPECT_EQ(map->size(), keys);
    map->destroy();
  }
}

TEST(CombinedMap, SendsAsyncCombinationsOfDifferentKeysToTheirOwners) {
  const MapAddress counts = Map::create(0, Combining::Distributed);
  const Gain summed("structures.summed");
  constexpr int64_t kKeys = 100000;
  finish([counts] {
    for (int64_t key = 0; key < kKeys; ++key) {
      counts->insert_or_combine<async>(key, key, collective_add<int64_t>);
    }
  });
  EXPECT_EQ(summed.value(), 0u);
  EXPECT_EQ(counts->size(), kKeys);
  for (int64_t key = 0; key < kKeys; key += 997) EXPECT_EQ(value_of(counts, key), key);
  counts->destroy();
}

}}  // namespace Grappa
