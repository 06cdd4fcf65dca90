#include "structures/detail/byte_sums.hpp"

#include "structures/global_map.hpp"

#include <Grappa.hpp>

#include "tests/harness/counted.hpp"
#include "tests/structures/combined_tasks.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

DECLARE_int64(partial_sums);

namespace Grappa { namespace {

typedef GlobalMap<std::string, int64_t> Counts;
typedef GlobalAddress<Counts> CountsAddress;

std::string key_of(int64_t k) {
  return std::string(static_cast<size_t>(k % 29), 'k') + std::to_string(k);
}

int64_t value_of(CountsAddress map, int64_t k) {
  int64_t value = -1;
  return map->lookup(key_of(k), &value) ? value : -1;
}

TEST(ByteSums, CombineTheValuesOfRepeatedKeysOfAllCores) {
  const CountsAddress map = Counts::create(0, Combining::Distributed);
  const Gain summed("structures.summed");
  const Gain messages("message.messages");
  constexpr int64_t kKeys = 60, kRounds = 100;
  finish([map] {
    for (int64_t i = 0; i < kKeys * kRounds; ++i) {
      map->insert_or_combine<async>(key_of(i % kKeys), i / kKeys);
    }
  });
  // A key that shares its entry with another is displaced.
  EXPECT_LE(uint64_t{kKeys * kRounds * 3 / 4}, summed.value());
  EXPECT_GE(uint64_t{kKeys * (kRounds - 1)}, summed.value());
  EXPECT_GE(uint64_t{kKeys * kRounds / 3}, messages.value());
  for (int64_t k = 0; k < kKeys; ++k) EXPECT_EQ(kRounds * (kRounds - 1) / 2, value_of(map, k));
  map->destroy();
}

void set_partial_sums(int64_t sums) {
  on_all_cores([sums] { FLAGS_partial_sums = sums; });
}

// A sum has 32 bytes, so the cache has at most 128 times --partial_sums sums. It starts with 1,024.
TEST(ByteSums, AreRightForMoreKeysThanEntries) {
  constexpr int64_t kKeys = 20011, kValues = 200000, kOften = 500;
  for (const int64_t partial_sums : {1, 256, 8192}) {
    set_partial_sums(partial_sums);
    const CountsAddress map = Counts::create(0, Combining::Distributed);
    const Gain summed("structures.summed");
    on_all_cores([map] {
      for (int64_t i = 0; i < kValues; ++i) {
        map->insert_or_combine<async>(key_of(i % 2 == 0 ? i / 2 % kOften : i % kKeys), 1);
      }
    });
    if (partial_sums == 8192) {
      EXPECT_LE(uint64_t{kValues / 4}, summed.value());
    }
    int64_t wrong = 0;
    const auto count = make_global(&wrong);
    forall(0, kKeys, [map, count](int64_t k) {
      int64_t expected = k < kOften ? kValues / 2 / kOften : 0;
      for (int64_t i = k; i < kValues; i += kKeys) expected += i % 2;
      if (value_of(map, k) != expected * cores()) delegate::increment<async>(count, 1);
    });
    EXPECT_EQ(0, wrong);
    map->destroy();
  }
}

// A set has two sums. A new key displaces the second one, and combined values move their sum to the
// first place. Otherwise, the sum of the repeated key would be displaced in each round, and only
// half of its values would be combined. A call that suspends for long lets the flush task send all
// sums, and then one more value is not combined.
TEST(ByteSums, KeepTheSumsOfRepeatedKeys) {
  typedef GlobalMap<int64_t, std::string> Texts;
  constexpr int64_t kRounds = 20, kOthers = 3;
  set_partial_sums(2);  // one set, because the values are of variable length
  const GlobalAddress<Texts> map = Texts::create(0, Combining::Distributed);
  const Gain summed("structures.summed");
  finish([map] {
    int64_t other = 1;
    for (int64_t round = 0; round < kRounds; ++round) {
      for (int64_t i = 0; i < kOthers; ++i) map->insert_or_combine<async>(other++, "o");
      for (int64_t i = 0; i < 2; ++i) map->insert_or_combine<async>(0, "v");
    }
  });
  EXPECT_LE(uint64_t{3 * kRounds / 2}, summed.value());
  std::string value;
  EXPECT_TRUE(map->lookup(0, &value));
  EXPECT_EQ(std::string(2 * kRounds, 'v'), value);
  EXPECT_EQ(1 + kOthers * kRounds, map->size());
  map->destroy();
  set_partial_sums(8192);
}

// The end of the inner scope does not depend on the outer one, whose value is in the cache.
TEST(ByteSums, AreOfOneScope) {
  const CountsAddress map = Counts::create(0, Combining::Distributed);
  const Gain summed("structures.summed");
  finish([map] {
    map->insert_or_combine<async>(key_of(1), 1);
    finish([map] { map->insert_or_combine<async>(key_of(1), 10); });
    EXPECT_LE(10, value_of(map, 1));
  });
  EXPECT_EQ(11, value_of(map, 1));
  EXPECT_EQ(0u, summed.value());
  map->destroy();
}

// The cache keeps 5,000 sums for longer than sync_all_cores takes.
TEST(ByteSums, AreWaitedForBySyncAllCores) {
  constexpr int64_t kKeys = 5000;
  const CountsAddress map = Counts::create(0, Combining::Distributed);
  for (int64_t round = 1; round <= 5; ++round) {
    for (int64_t k = 0; k < kKeys; ++k) map->insert_or_combine<async>(key_of(k), 1);
    map->sync_all_cores();
    int64_t wrong = 0;
    for (int64_t k = 0; k < kKeys; ++k) wrong += value_of(map, k) != round;
    EXPECT_EQ(0, wrong);
  }
  map->destroy();
}

/// Inserts the first key that this core owns, with the value 0, and returns its number.
int64_t insert_own_key(CountsAddress map) {
  for (int64_t k = 0;; ++k) {
    const Gain messages("message.messages");
    map->insert(key_of(k), 0);
    if (messages.value() == 0) return k;
    map->erase(key_of(k));
  }
}

// Values arrive in each round of the scheduler, so the flush task does not find a pause.
TEST(ByteSums, AreSentWhileValuesArrive) {
  constexpr int64_t kKeys = 5000, kMostRounds = 10000000;
  const CountsAddress map = Counts::create(0, Combining::Distributed);
  finish([map] {
    const int64_t own = insert_own_key(map);
    for (int64_t k = 0; k < kKeys; ++k) map->insert_or_combine<async>(key_of(k), 1);
    for (int64_t i = 0; i < kMostRounds && value_of(map, own) == 0; ++i) {
      map->insert_or_combine<async>(key_of(kKeys), 1);
      yield();
    }
    EXPECT_EQ(1, value_of(map, own));
  });
  map->destroy();
}

/// Two operations of one type.
typedef int64_t (*Choice)(int64_t a, int64_t b);
int64_t larger(int64_t a, int64_t b) { return std::max(a, b); }
int64_t smaller(int64_t a, int64_t b) { return std::min(a, b); }

TEST(ByteSums, KeepOperationsOfDifferentKindsApart) {
  const CountsAddress map = Counts::create(0, Combining::Distributed);
  on_all_cores([map] {
    for (int64_t i = 0; i < 2000; ++i) {
      map->insert_or_combine<async>(key_of(i % 10), i, Choice(&larger));
      map->insert_or_combine<async>(key_of(500 + i % 10), -i, Choice(&smaller));
      map->insert_or_combine<async>(key_of(1000 + i % 10), 1);
    }
  });
  for (int64_t k = 0; k < 10; ++k) {
    EXPECT_EQ(1990 + k, value_of(map, k));
    EXPECT_EQ(-1990 - k, value_of(map, 500 + k));
    EXPECT_EQ(200 * cores(), value_of(map, 1000 + k));
  }
  map->destroy();
}

/// Adds two values. If none is 0, also adds 0 to the values of other keys of the same map, of more
/// keys than a new cache has entries.
struct SumThatCalls {
  CountsAddress map;
  int64_t operator()(int64_t a, int64_t b) const {
    for (int64_t k = 0; k < 2000 && a != 0 && b != 0; ++k) {
      map->insert_or_combine<async>(key_of(100 + k), 0, *this);
    }
    return a + b;
  }
};

TEST(ByteSums, AllowAsyncCallsInTheirOperation) {
  const CountsAddress map = Counts::create(0, Combining::Distributed);
  constexpr int64_t kKeys = 30, kRounds = 3;
  on_all_cores([map] {
    for (int64_t i = 0; i < kKeys * kRounds; ++i) {
      map->insert_or_combine<async>(key_of(i % kKeys), 1, SumThatCalls{map});
    }
  });
  for (int64_t k = 0; k < kKeys; ++k) EXPECT_EQ(kRounds * cores(), value_of(map, k));
  for (int64_t k = 0; k < 2000; ++k) EXPECT_EQ(0, value_of(map, 100 + k));
  map->destroy();
}

// More keys than the messages of a buffer, so that flush tasks wait for buffers.
TEST(ByteSums, AreCompleteIfTasksAddDuringAFlush) {
  constexpr int64_t kKeys = 6000, kTasks = 4, kRounds = 6;
  const CountsAddress map = Counts::create(0, Combining::Distributed);
  in_tasks_of_all_cores(kTasks, [map](int64_t task) {
    for (int64_t i = 0; i < kRounds * kKeys; ++i) {
      map->insert_or_combine<async>(key_of((i / kRounds + task * 100) % kKeys), 1);
      if (i % 500 == task) yield();
    }
  });
  int64_t wrong = 0;
  for (int64_t k = 0; k < kKeys; ++k) wrong += value_of(map, k) != kRounds * kTasks * cores();
  EXPECT_EQ(0, wrong);
  map->destroy();
}

TEST(ByteSums, AreOfTheScopeOfTheirMessage) {
  for (const Combining mode : {Combining::Centralized, Combining::Distributed}) {
    const CountsAddress map = Counts::create(0, mode);
    finish([map] {
      for (int64_t i = 0; i < 3000; ++i) {
        delegate::call<async>(Core(i % cores()),
                              [map, i] { map->insert_or_combine<async>(key_of(i % 30), 1); });
      }
    });
    for (int64_t k = 0; k < 30; ++k) EXPECT_EQ(100, value_of(map, k));
    map->destroy();
  }
}

// A key of 255 bytes uses the cache, and one of 256 bytes does not.
TEST(ByteSums, AreNotOfLongKeys) {
  const CountsAddress map = Counts::create(0, Combining::Distributed);
  for (const size_t bytes : {size_t{14}, size_t{15}, size_t{255}, size_t{256}, size_t{1} << 20}) {
    const std::string key(bytes, 'k');
    const Gain summed("structures.summed");
    finish([map, &key] {
      for (int64_t i = 0; i < 100; ++i) map->insert_or_combine<async>(key, 1);
    });
    EXPECT_EQ(bytes <= 255 ? 99u : 0u, summed.value());
    int64_t value = 0;
    EXPECT_TRUE(map->lookup(key, &value));
    EXPECT_EQ(100, value);
  }
  map->destroy();
}

TEST(ByteSums, HaveValuesOfVariableLength) {
  typedef GlobalMap<int64_t, std::string> Longest;
  const GlobalAddress<Longest> map = Longest::create(0, Combining::Distributed);
  on_all_cores([map] {
    for (int64_t i = 0; i < 5000; ++i) {
      map->insert_or_combine<async>(
          i % 70, std::string(static_cast<size_t>(i), 'v'),
          [](const std::string& a, const std::string& b) { return a.size() < b.size() ? b : a; });
    }
  });
  for (int64_t k = 0; k < 70; ++k) {
    std::string value;
    EXPECT_TRUE(map->lookup(k, &value));
    EXPECT_EQ(static_cast<size_t>(k + (4999 - k) / 70 * 70), value.size());
  }
  map->destroy();
}

TEST(ByteSums, AreSwitchedOffByTheirFlag) {
  set_partial_sums(0);
  const CountsAddress map = Counts::create(0, Combining::Distributed);
  const Gain summed("structures.summed");
  finish([map] {
    for (int64_t i = 0; i < 1000; ++i) map->insert_or_combine<async>(key_of(i % 10), 1);
  });
  EXPECT_EQ(0u, summed.value());
  for (int64_t k = 0; k < 10; ++k) EXPECT_EQ(100, value_of(map, k));
  map->destroy();
  set_partial_sums(8192);
}

}}  // namespace Grappa
