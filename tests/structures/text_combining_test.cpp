/// Tests of the combined operations on strings, and of the cores that gather the batches of their
/// locale. They pass in clusters without such cores, too.

#include "structures/combining.hpp"
#include "structures/global_map.hpp"
#include "structures/global_multi_map.hpp"
#include "structures/global_set.hpp"
#include "system/observe/clock.hpp"

#include <Grappa.hpp>

#include "tests/harness/counted.hpp"
#include "tests/harness/repetitions.hpp"
#include "tests/structures/combined_tasks.hpp"
#include "tests/structures/key_with_hash.hpp"

#include <algorithm>
#include <cstdint>
#include <gflags/gflags.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

DECLARE_bool(combining_tree);

namespace Grappa { namespace {

typedef GlobalSet<std::string> Words;
typedef GlobalMap<std::string, int64_t> Counts;
typedef GlobalMultiMap<std::string, int64_t> Index;

constexpr int64_t kTasks = 60;  // of each core

std::string word(int64_t k) {
  return std::string(static_cast<size_t>(k % 23), 'w') + std::to_string(k);
}

/// A word of another core, of this locale if it has one. Its requests are sent to no gatherer if
/// this locale has several cores. Needs several cores.
std::string remote_word(int64_t first = 0) {
  for (;; ++first) {
    const std::string key = word(first);
    const Core owner = detail::owner_of_hash(detail::hash_bytes(key));
    if (owner == mycore()) continue;
    if (locale_of(owner) == mylocale() || locale_cores() == 1) return key;
  }
}

/// The owner of a key is not the one that the hash of its bytes selects.
struct HashOfLength {
  size_t operator()(StringView key) const { return key.size(); }
};

struct Two {
  int64_t a, b;
};

/// Adds one of two numbers. Values of different objects must not be merged.
struct AddOne {
  int64_t which;
  Two operator()(const Two& x, const Two& more) const {
    return which == 0 ? Two{x.a + more.a, x.b} : Two{x.a, x.b + more.b};
  }
};

TEST(CombinedText, MergesEqualOperationsOnAKeyOfASet) {
  if (cores() == 1) return;  // no operation is combined
  const std::string key = remote_word();
  const GlobalAddress<Words> set = Words::create(0, Combining::Distributed);
  const Gain commits("structures.commits"), duplicates("structures.duplicates");
  int64_t inserted = 0, found = 0, erased = 0;
  in_tasks(kTasks, [&](int64_t) { inserted += set->insert(key) ? 1 : 0; });
  in_tasks(kTasks, [&](int64_t) { found += set->contains(key) ? 1 : 0; });
  in_tasks(kTasks, [&](int64_t) { erased += set->erase(key) ? 1 : 0; });
  EXPECT_EQ(1, inserted);
  EXPECT_EQ(kTasks, found);
  EXPECT_EQ(1, erased);
  EXPECT_EQ(3 * kTasks - commits.value(), duplicates.value());
  EXPECT_LT(0u, duplicates.value());
  EXPECT_EQ(0, set->size());
  set->destroy();
}

TEST(CombinedText, MergesTheValuesOfAKeyOfAMap) {
  if (cores() == 1) return;
  const std::string key = remote_word(), absent = remote_word(1000);
  const auto map = GlobalMap<std::string, std::string>::create(0, Combining::Distributed);
  const Gain duplicates("structures.duplicates");
  int64_t new_keys = 0, right = 0;
  // A value has 0 to 2 * kTasks bytes. The value of the last task is the longest.
  in_tasks(kTasks, [&](int64_t task) {
    new_keys += map->insert(key, std::string(static_cast<size_t>(2 * task), 'v')) ? 1 : 0;
  });
  in_tasks(kTasks, [&](int64_t) {
    std::string value = "unchanged";
    right += map->lookup(key, &value) && value.size() % 2 == 0 ? 1 : 0;
    right += !map->lookup(absent, &value) && value.size() % 2 == 0 ? 1 : 0;
  });
  EXPECT_EQ(1, new_keys);
  EXPECT_EQ(2 * kTasks, right);
  EXPECT_LT(0u, duplicates.value());
  map->destroy();
  const auto counts = Counts::create(0, Combining::Distributed);
  new_keys = 0;
  in_tasks(kTasks, [&](int64_t task) { new_keys += counts->insert_or_combine(key, task) ? 1 : 0; });
  int64_t sum = 0;
  EXPECT_TRUE(counts->lookup(key, &sum));
  EXPECT_EQ(1, new_keys);
  EXPECT_EQ(kTasks * (kTasks - 1) / 2, sum);
  counts->destroy();
}

TEST(CombinedText, DoesNotMergeDifferentOperations) {
  const std::string key = cores() == 1 ? "" : remote_word();
  const auto map = GlobalMap<std::string, Two>::create(0, Combining::Distributed);
  map->insert(key, Two{0, 0});
  in_tasks(kTasks, [&](int64_t task) {
    map->insert_or_combine(key, Two{task, 3 * task}, AddOne{task % 2});
  });
  Two sums{-1, -1};
  EXPECT_TRUE(map->lookup(key, &sums));
  int64_t even = 0, odd = 0;
  for (int64_t task = 0; task < kTasks; ++task) (task % 2 == 0 ? even : odd) += task;
  EXPECT_EQ(even, sums.a);
  EXPECT_EQ(3 * odd, sums.b);
  map->destroy();
  const GlobalAddress<Words> set = Words::create(0, Combining::Distributed);
  for (const int64_t inserting : {0, 1}) {  // the first operation is an insert or a lookup
    int64_t inserted = 0;
    in_tasks(2, [&](int64_t task) {
      if (task != inserting) {
        set->contains(key);
      } else if (set->insert(key)) {
        ++inserted;
      }
    });
    EXPECT_EQ(1, inserted);
    EXPECT_TRUE(set->erase(key));
  }
  set->destroy();
}

TEST(CombinedText, DistinguishesKeysWithEqualHashes) {
  const std::string key = cores() == 1 ? "a key" : remote_word();
  const std::string other = key_with_hash(detail::hash_bytes(key));
  ASSERT_EQ(detail::hash_bytes(key), detail::hash_bytes(other));
  const GlobalAddress<Words> set = Words::create(0, Combining::Distributed);
  const GlobalAddress<Counts> counts = Counts::create(0, Combining::Distributed);
  int64_t inserted = 0;
  in_tasks(kTasks, [&](int64_t task) {
    inserted += set->insert(task % 2 == 0 ? key : other) ? 1 : 0;
    counts->insert_or_combine(task % 2 == 0 ? key : other, 1 + task % 2);
  });
  finish([counts, &key, &other] {
    for (int64_t k = 0; k < 100; ++k) {
      counts->insert_or_combine<async>(key, 1);
      counts->insert_or_combine<async>(other, 2);
    }
  });
  EXPECT_EQ(2, inserted);
  int64_t sum = 0;
  EXPECT_TRUE(counts->lookup(key, &sum));
  EXPECT_EQ(kTasks / 2 + 100, sum);
  EXPECT_TRUE(counts->lookup(other, &sum));
  EXPECT_EQ(2 * (kTasks / 2 + 100), sum);
  EXPECT_TRUE(set->erase(key));
  EXPECT_TRUE(set->contains(other));
  counts->destroy();
  set->destroy();
}

TEST(CombinedText, AppendsEachValueOfAKeyOnce) {
  const std::string key = cores() == 1 ? "" : remote_word();
  const auto index = Index::create(0, Combining::Distributed);
  int64_t new_keys = 0, right = 0;
  in_tasks(kTasks, [&](int64_t task) { new_keys += index->insert(key, task) ? 1 : 0; });
  in_tasks(kTasks, [&](int64_t) { right += index->count(key) == kTasks ? 1 : 0; });
  std::vector<int64_t> values = index->values(key);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(1, new_keys);
  EXPECT_EQ(kTasks, right);
  ASSERT_EQ(size_t(kTasks), values.size());
  for (int64_t k = 0; k < kTasks; ++k) EXPECT_EQ(k, values[size_t(k)]);
  index->destroy();
}

int64_t added = 0;  // on this core

int64_t take_added() {
  return sum_all_cores([] {
    const int64_t mine = added;
    added = 0;
    return mine;
  });
}

void switch_tree(bool on) {
  on_all_cores([on] { FLAGS_combining_tree = on; });
}
uint64_t all_to_owners() {
  return sum_all_cores([] { return detail::structure_counters::owner_messages.value(); });
}
uint64_t all_gathered() {
  return sum_all_cores([] { return detail::structure_counters::gathered_batches.value(); });
}

// All cores insert the same words, so an owner gets each word from all locales.
TEST(TextCombiningTree, ReportsAWordAsNewOnce) {
  const int64_t words = repetitions(20, 5);  // of each task
  const bool flag = FLAGS_combining_tree;
  const bool may_gather = locales() > 1 && sum_all_cores([] { return locale_cores() > 1 ? 1 : 0; });
  uint64_t messages[2];
  for (const bool tree : {false, true}) {
    switch_tree(tree);
    const GlobalAddress<Words> set = Words::create(0, Combining::Distributed);
    const uint64_t gathered = all_gathered(), before = all_to_owners();
    const int64_t inserted = sum_all_cores([set, words] {
      int64_t mine = 0;
      in_tasks(kTasks, [set, words, &mine](int64_t task) {
        for (int64_t k = task * words; k < (task + 1) * words; ++k) {
          if (set->insert(word(k))) ++mine;
          EXPECT_TRUE(set->contains(word(k)));
          EXPECT_FALSE(set->contains("absent " + word(k)));
        }
      });
      return mine;
    });
    EXPECT_EQ(kTasks * words, inserted);
    EXPECT_EQ(kTasks * words, set->size());
    messages[tree] = all_to_owners() - before;
    EXPECT_EQ(tree && may_gather, all_gathered() != gathered);
    set->destroy();
  }
  switch_tree(flag);
  // Elsewhere, the speed of the cores determines how many batches meet.
  if (detail::virtual_time != nullptr && locales() >= 4 && locale_cores() >= 4) {
    EXPECT_LT(3 * messages[true], 2 * messages[false]);
  }
}

// A batch has operations of several kinds, with answers of different lengths.
TEST(TextCombiningTree, AnswersEachCallerWithItsOwnValue) {
  typedef GlobalMap<std::string, std::string> Texts;
  constexpr int64_t kOfCore = 1000;
  // Some batches and answers take several messages.
  const auto value_of = [](int64_t k) {
    return word(3 * k) + std::string(k % 5 == 0 ? 40000 : 0, 'v');
  };
  const GlobalAddress<Texts> map = Texts::create(0, Combining::Distributed);
  in_tasks_of_all_cores(kTasks, [map, value_of](int64_t task) {
    const int64_t k = kOfCore * mycore() + task;
    EXPECT_TRUE(map->insert(word(k), value_of(k)));
  });
  in_tasks_of_all_cores(kTasks, [map, value_of](int64_t task) {
    const int64_t k = kOfCore * ((mycore() + 1) % cores()) + task;
    std::string value;
    if (task % 3 == 0) {
      EXPECT_FALSE(map->lookup("absent " + word(k), &value));
    } else if (task % 3 == 1) {
      EXPECT_FALSE(map->insert_or_combine(word(k), "!"));
    }
    EXPECT_TRUE(map->lookup(word(k), &value));
    EXPECT_EQ(value_of(k) + (task % 3 == 1 ? "!" : ""), value);
  });
  EXPECT_EQ(kTasks * cores(), map->size());
  map->destroy();
}

// Values of different lengths meet at the callers, the gatherers and the owners.
template <class Map, class Insert>
void add_everywhere(GlobalAddress<Map> map, const Insert& insert) {
  constexpr int64_t kKeys = 7;
  const int64_t new_keys = sum_all_cores([map, insert] {
    int64_t mine = 0;
    in_tasks(kTasks, [map, insert, &mine](int64_t task) {
      for (int64_t k = 0; k < 5; ++k) mine += insert(map, word((task + k) % kKeys), task) ? 1 : 0;
    });
    return mine;
  });
  EXPECT_EQ(kKeys, new_keys);
}

TEST(TextCombiningTree, AddsTheValuesOfAllCores) {
  typedef GlobalMap<std::string, int64_t, HashOfLength> Sums;
  const GlobalAddress<Sums> sums = Sums::create(0, Combining::Distributed);
  add_everywhere(sums, [](GlobalAddress<Sums> map, const std::string& key, int64_t task) {
    return map->insert_or_combine(key, task);
  });
  sums->forall_entries([](StringView, int64_t value) { added += value; });
  EXPECT_EQ(cores() * 5 * kTasks * (kTasks - 1) / 2, take_added());
  sums->destroy();
}

TEST(TextCombiningTree, AppendsTheTextsOfAllCores) {
  typedef GlobalMap<std::string, std::string> Texts;
  const GlobalAddress<Texts> texts = Texts::create(0, Combining::Distributed);
  add_everywhere(texts, [](GlobalAddress<Texts> map, const std::string& key, int64_t task) {
    return map->insert_or_combine(key, word(task));
  });
  texts->forall_entries([](StringView, StringView text) { added += int64_t(text.size()); });
  int64_t bytes = 0;
  for (int64_t task = 0; task < kTasks; ++task) bytes += int64_t(word(task).size());
  EXPECT_EQ(cores() * 5 * bytes, take_added());
  texts->destroy();
}

TEST(TextCombiningTree, ListsTheValuesOfAllCores) {
  const GlobalAddress<Index> index = Index::create(0, Combining::Distributed);
  add_everywhere(index, [](GlobalAddress<Index> map, const std::string& key, int64_t task) {
    return map->insert(key, task);
  });
  std::vector<int64_t> counts(kTasks, 0);
  for (int64_t k = 0; k < 7; ++k) {
    for (const int64_t value : index->values(word(k))) ++counts[size_t(value)];
  }
  EXPECT_EQ(std::vector<int64_t>(kTasks, 5 * cores()), counts);
  index->destroy();
}

}}  // namespace Grappa
