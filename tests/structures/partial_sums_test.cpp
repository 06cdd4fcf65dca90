#include "structures/global_map.hpp"

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "tests/harness/counted.hpp"
#include "tests/structures/combined_tasks.hpp"
#include "tests/structures/int_map.hpp"
#include "tests/structures/remote_keys.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include <gtest/gtest.h>

DECLARE_int64(partial_sums);

namespace Grappa { namespace {

typedef IntMap Map;
typedef GlobalAddress<Map> MapAddress;

/// Returns keys of other cores with different entries in a cache of 8,192 sums.
std::vector<int64_t> remote_keys(size_t n) {
  std::vector<int64_t> keys;
  std::set<size_t> entries;
  for (int64_t key = remote_key(); keys.size() < n; key = remote_key(key + 1)) {
    if (entries.insert(hash_of_key(key) % 8192).second) keys.push_back(key);
  }
  return keys;
}

int64_t larger(int64_t a, int64_t b) { return std::max(a, b); }

TEST(PartialSums, CombineTheValuesOfRepeatedKeys) {
  if (cores() == 1) return;  // no key is remote
  const std::vector<int64_t> keys = remote_keys(500);
  const MapAddress map = Map::create(0, Combining::Distributed);
  const Gain summed("structures.summed");
  constexpr int64_t kValues = 20;
  finish([map, &keys] {
    for (int64_t i = 0; i < kValues; ++i) {
      for (const int64_t key : keys) map->insert_or_combine<async>(key, i, collective_add<int64_t>);
    }
  });
  EXPECT_EQ(summed.value(), keys.size() * (kValues - 1));
  for (const int64_t key : keys) EXPECT_EQ(value_of(map, key), kValues * (kValues - 1) / 2);
  map->destroy();
}

TEST(PartialSums, AreInTheMapAtTheEndOfTheScopeOfTheirValues) {
  const std::vector<int64_t> keys = cores() == 1 ? std::vector<int64_t>{5, 6} : remote_keys(2);
  const MapAddress map = Map::create(0, Combining::Distributed);
  finish([&] {
    in_tasks(2, [&](int64_t task) {
      for (int64_t round = 1; round <= 200; ++round) {
        finish([&] {
          map->insert_or_combine<async>(keys[size_t(task)], 1, collective_add<int64_t>);
          map->insert_or_combine<async>(keys[size_t(task)], 1, collective_add<int64_t>);
          map->insert_or_combine<async>(-1 - task, 1, collective_add<int64_t>);
        });
        EXPECT_EQ(value_of(map, keys[size_t(task)]), 2 * round);
        EXPECT_EQ(value_of(map, -1 - task), round);
      }
    });
  });
  map->destroy();
}

// The end of the inner scope does not depend on the outer one.
TEST(PartialSums, AreOfOneScope) {
  if (cores() == 1) return;  // no key is remote
  const int64_t key = remote_key();
  const MapAddress map = Map::create(0, Combining::Distributed);
  const Gain summed("structures.summed");
  finish([map, key] {
    map->insert_or_combine<async>(key, 1, collective_add<int64_t>);
    finish([map, key] { map->insert_or_combine<async>(key, 10, collective_add<int64_t>); });
    EXPECT_GE(value_of(map, key), 10);
  });
  EXPECT_EQ(value_of(map, key), 11);
  EXPECT_EQ(summed.value(), 0u);
  map->destroy();
}

// After the scope has ended, this core neither polls nor sends until the third core has looked up
// the key at its owner.
TEST(PartialSums, HaveReachedTheOwnerAtTheEndOfTheirScope) {
  if (cores() < 3 || locale_cores() < cores()) return;
  const MapAddress map = Map::create(0, Combining::Distributed);
  typedef std::atomic<int64_t> Answer;
  Answer* const answer = locale_new<Answer>(0);
  int64_t key = 0;
  for (int round = 0; round < 100; ++round) {
    while (owner_of_key(++key) != 1) continue;
    finish([map, key] {
      map->insert_or_combine<async>(key, 1, collective_add<int64_t>);
      map->insert_or_combine<async>(key, 1, collective_add<int64_t>);
    });
    *answer = 0;
    send_message(2, [map, key, answer] { *answer = value_of(map, key); });
    detail::flush_to(2, detail::FlushCause::Asked);
    while (*answer == 0) std::this_thread::yield();
    EXPECT_EQ(*answer, 2);
  }
  locale_free(answer);
  map->destroy();
}

TEST(PartialSums, KeepOperationsOfDifferentKindsApart) {
  const MapAddress sums = Map::create(0, Combining::Distributed);
  const MapAddress mixed = Map::create(0, Combining::Distributed);
  on_all_cores([sums, mixed] {
    finish([sums, mixed] {
      for (int64_t i = 0; i < 2000; ++i) {
        mixed->insert_or_combine<async>(i % 10, i, &larger);
        sums->insert_or_combine<async>(i % 10, 1, collective_add<int64_t>);
        mixed->insert_or_combine<async>(1000 + i % 10, 1, collective_add<int64_t>);
      }
    });
  });
  for (int64_t key = 0; key < 10; ++key) {
    EXPECT_EQ(value_of(sums, key), 200 * cores());
    EXPECT_EQ(value_of(mixed, key), 1990 + key);
    EXPECT_EQ(value_of(mixed, 1000 + key), 200 * cores());
  }
  sums->destroy();
  mixed->destroy();
}

// More keys than the messages of a buffer, so that flush tasks wait for buffers.
TEST(PartialSums, AreCompleteIfTasksAddDuringAFlush) {
  constexpr int64_t kKeys = 12000, kTasks = 4, kRounds = 6;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const MapAddress map = Map::create(0, Combining::Distributed);
    in_tasks_of_all_cores(kTasks, [map](int64_t task) {
      for (int64_t i = 0; i < kRounds * kKeys; ++i) {
        const int64_t key = (i / kRounds + task * 100) % kKeys;
        if (key % 7 == 0) {
          map->insert_or_combine<async>(key, i, &larger);
        } else {
          map->insert_or_combine<async>(key, 1, collective_add<int64_t>);
        }
        if (i % 500 == task) yield();
      }
    });
    int64_t wrong = 0;
    for (int64_t key = 0; key < kKeys; ++key) {
      const int64_t value = value_of(map, key);
      int64_t largest = 0;
      for (int64_t task = 0; task < kTasks; ++task) {
        const int64_t block = (key - task * 100 + kKeys) % kKeys;
        largest = larger(largest, block * kRounds + kRounds - 1);
      }
      wrong += value != (key % 7 == 0 ? largest : kRounds * kTasks * cores());
    }
    EXPECT_EQ(wrong, 0);
    map->destroy();
  }
}

TEST(PartialSums, AreCountedByHandlersInTheScopeOfTheMessage) {
  for (const Combining mode : {Combining::Centralized, Combining::Distributed}) {
    const MapAddress map = Map::create(0, mode);
    finish([map] {
      for (int64_t i = 0; i < 3000; ++i) {
        delegate::call<async>(Core(i % cores()), [map, i] {
          map->insert_or_combine<async>(i % 30, 1, collective_add<int64_t>);
        });
      }
    });
    for (int64_t key = 0; key < 30; ++key) EXPECT_EQ(value_of(map, key), 100);
    map->destroy();
  }
}

TEST(PartialSums, AreWaitedForBySyncAllCores) {
  const MapAddress map = Map::create(0, Combining::Distributed);
  const int64_t key = cores() == 1 ? 0 : remote_key();
  for (int64_t round = 1; round <= 50; ++round) {
    map->insert_or_combine<async>(key, 1, collective_add<int64_t>);
    map->insert_or_combine<async>(key, 1, collective_add<int64_t>);
    map->sync_all_cores();
    EXPECT_EQ(value_of(map, key), 2 * round);
  }
  map->destroy();
}

TEST(PartialSums, AreSwitchedOffByTheirFlag) {
  on_all_cores([] { FLAGS_partial_sums = 0; });
  const MapAddress map = Map::create(0, Combining::Distributed);
  const Gain summed("structures.summed");
  finish([map] {
    for (int64_t i = 0; i < 1000; ++i) {
      map->insert_or_combine<async>(i % 10, 1, collective_add<int64_t>);
    }
  });
  EXPECT_EQ(summed.value(), 0u);
  for (int64_t key = 0; key < 10; ++key) EXPECT_EQ(value_of(map, key), 100);
  map->destroy();
  on_all_cores([] { FLAGS_partial_sums = 8192; });
}

}}  // namespace Grappa
