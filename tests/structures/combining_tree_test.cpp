/// Tests of masters, and of the cores that gather the batches of their locale. They pass in
/// clusters without such cores, too: with one locale, or with one core in each.

#include "structures/combining.hpp"
#include "structures/global_map.hpp"
#include "structures/global_queue.hpp"
#include "structures/global_set.hpp"
#include "structures/global_stack.hpp"
#include "structures/global_vector.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/reduce.hpp"
#include "tests/harness/repetitions.hpp"
#include "tests/structures/remote_keys.hpp"

#include <Grappa.hpp>

#include <gflags/gflags.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

DECLARE_bool(combining_tree);

namespace {

using namespace Grappa;
using namespace Grappa::detail;

typedef GlobalQueue<int64_t> Queue;

constexpr int64_t kTasks = 64;              // of each core
constexpr int64_t kPushes = 20;             // of each task
constexpr int64_t kPopped = 97;             // elements of a call of try_pop
constexpr int64_t kValuesPerCore = 100000;  // the factor of the core in a value

uint64_t all_gathered() {
  return sum_all_cores([] { return structure_counters::gathered_batches.value(); });
}
uint64_t all_to_master() {
  return sum_all_cores([] { return structure_counters::master_messages.value(); });
}
uint64_t all_commits() {
  return sum_all_cores([] { return structure_counters::commits.value(); });
}

uint64_t all_to_owners() {
  return sum_all_cores([] { return structure_counters::owner_messages.value(); });
}

bool has_gatherers(Core master) {
  return sum_all_cores(
             [master] { return int{mylocale() != locale_of(master) && locale_cores() > 1}; }) != 0;
}
bool locales_are_equal() {
  return locales() * locale_cores() == cores() &&
         sum_all_cores([] { return locale_cores(); }) == cores() * locale_cores();
}

void push(GlobalAddress<Queue> queue, int64_t value) { queue->push(value); }
void push(GlobalAddress<GlobalStack<int64_t>> stack, int64_t value) { stack->push(value); }
void push(GlobalAddress<GlobalMap<int64_t, int64_t>> map, int64_t key) {
  EXPECT_TRUE(map->insert(key, 3 * key));
}

// All tasks of all cores push kPushes values each, one after the other.
template <class Structure>
void push_everywhere(GlobalAddress<Structure> structure) {
  on_all_cores([structure] {
    finish([structure] {
      for (int64_t task = 0; task < kTasks; ++task) {
        spawn([structure, task] {
          for (int64_t i = 0; i < kPushes; ++i) {
            push(structure, mycore() * kValuesPerCore + task * kPushes + i);
          }
        });
      }
    });
  });
}

int64_t all_values() { return cores() * kTasks * kPushes; }

// The sum of all values that push_everywhere() pushes.
int64_t sum_of_values() {
  const int64_t of_core = kTasks * kPushes;
  return of_core * kValuesPerCore * cores() * (cores() - 1) / 2 +
         cores() * of_core * (of_core - 1) / 2;
}

void switch_tree(bool on) {
  on_all_cores([on] { FLAGS_combining_tree = on; });
}

TEST(CombiningTree, SendsFewerMessagesToTheMaster) {
  const bool flag = FLAGS_combining_tree;
  uint64_t messages[2];
  bool gathers = false;
  for (const bool tree : {false, true}) {
    switch_tree(tree);
    const auto queue = Queue::create(0, Combining::Distributed);
    gathers = has_gatherers(queue->master());
    const uint64_t gathered = all_gathered(), before = all_to_master(), commits = all_commits();
    push_everywhere(queue);
    messages[tree] = all_to_master() - before;
    EXPECT_LE(messages[tree], all_commits() - commits);
    EXPECT_EQ(tree && gathers, all_gathered() != gathered);
    EXPECT_EQ(all_values(), queue->size());
    queue->destroy();
  }
  switch_tree(flag);
  // Elsewhere, the speed of the cores determines how many batches meet.
  if (virtual_time != nullptr && gathers) {
    EXPECT_LT(2 * messages[true], messages[false]);
  }
}

// In each round, all cores commit one batch at the same time.
double time_of_rounds(GlobalAddress<Queue> queue, int rounds) {
  const double begin = walltime();
  on_all_cores([queue, rounds] {
    for (int round = 0; round < rounds; ++round) {
      queue->push(round);
      barrier();
    }
  });
  return walltime() - begin;
}

TEST(CombiningTree, SendsTheBatchesOfARoundTogetherAndAtOnce) {
  if (virtual_time == nullptr) GTEST_SKIP() << "the speed of the cores is not known";
  if (locales() == 1) GTEST_SKIP() << "no core gathers batches";
  const bool flag = FLAGS_combining_tree;
  double time[2];
  for (const bool tree : {false, true}) {
    switch_tree(tree);
    const auto queue = Queue::create(0, Combining::Distributed);
    time_of_rounds(queue, 20);
    time[tree] = time_of_rounds(queue, 50);
    queue->destroy();
  }
  switch_tree(flag);
  EXPECT_LT(time[true], time[false]);  // 12.5 and 16.2 us in each round on 4 locales of 4 cores
}

// Creates and destroys a structure, and returns its master.
template <class Structure>
Core master_of_new() {
  const auto structure = Structure::create();
  const Core master = structure->master();
  structure->destroy();
  return master;
}

TEST(Masters, AreOnAllCoresInTurnAndInSequenceOnDifferentLocales) {
  const bool equal = locales_are_equal();
  for (const Core creator : {Core{0}, static_cast<Core>(cores() - 1)}) {
    on_all_cores([creator, equal] {
      if (mycore() != creator) return;
      std::vector<Core> masters;
      while (masters.size() != size_t(cores())) {
        const size_t kind = masters.size() % 3;
        masters.push_back(kind == 0   ? master_of_new<GlobalStack<int64_t>>()
                          : kind == 1 ? master_of_new<Queue>()
                                      : master_of_new<GlobalVector<int64_t>>());
      }
      if (!equal) return;
      EXPECT_EQ(size_t(cores()), std::set<Core>(masters.begin(), masters.end()).size());
      for (auto first = masters.begin(); masters.end() - first >= locales(); ++first) {
        std::set<Locale> visited;
        for (auto each = first; each != first + locales(); ++each) visited.insert(locale_of(*each));
        EXPECT_GE(visited.size() + 1, size_t(locales()));
      }
    });
  }
}

// All cores insert the same keys, so an owner gets each key from all locales.
TEST(CombiningTree, ReportsAKeyOfASetAsNewOnce) {
  const bool flag = FLAGS_combining_tree;
  const int64_t inserts = repetitions(kPushes, 5);  // of each task
  uint64_t messages[2];
  for (const bool tree : {false, true}) {
    switch_tree(tree);
    const auto set = GlobalSet<int64_t>::create(0, Combining::Distributed);
    const uint64_t gathered = all_gathered(), before = all_to_owners();
    for (int64_t round = 0; round < 2; ++round) {
      const int64_t inserted = sum_all_cores([set, inserts] {
        int64_t mine = 0;
        finish([set, inserts, &mine] {
          for (int64_t task = 0; task < kTasks; ++task) {
            spawn(unchecked([set, task, inserts, &mine] {
              for (int64_t i = 0; i < inserts; ++i) {
                const int64_t key = task * inserts + i;
                if (set->insert(key)) ++mine;
                EXPECT_TRUE(set->contains(key));
                EXPECT_FALSE(set->contains(-1 - key));
              }
            }));
          }
        });
        return mine;
      });
      EXPECT_EQ(round == 0 ? kTasks * inserts : 0, inserted);
    }
    EXPECT_EQ(kTasks * inserts, set->size());
    messages[tree] = all_to_owners() - before;
    const bool gathers = locales() > 1 && sum_all_cores([] { return locale_cores() > 1 ? 1 : 0; });
    EXPECT_EQ(tree && gathers, all_gathered() != gathered);
    set->destroy();
  }
  switch_tree(flag);
  if (virtual_time != nullptr && locales() >= 4 && locale_cores() >= 4) {
    EXPECT_LT(3 * messages[true], 2 * messages[false]);
  }
}

/// Inserts 500 keys of the last core in tasks that start together: fewer than fill a proxy whose
/// requests are not gathered.
template <class Key, class MakeKey, class Hash>
void expect_several_batches(const MakeKey& make_key, const Hash& hash) {
  const auto set = GlobalSet<Key>::create(0, Combining::Distributed);
  const Core far = static_cast<Core>(cores() - 1);
  std::vector<Key> keys;
  for (int64_t k = 0; keys.size() < 500; ++k) {
    if (owner_of_hash(hash(make_key(k))) == far) keys.push_back(make_key(k));
  }
  const uint64_t before = structure_counters::gathered_batches.value();
  CompletionEvent all_started(static_cast<int64_t>(keys.size()));
  finish([set, &keys, &all_started] {
    for (const Key& key : keys) {
      spawn(unchecked([set, &key, &all_started] {
        all_started.complete();
        all_started.wait();
        EXPECT_TRUE(set->insert(key));
      }));
    }
  });
  if (gathers_requests(Combining::Distributed) && locale_of(far) != mylocale()) {
    EXPECT_GE(structure_counters::gathered_batches.value() - before, 2u);
  }
  set->destroy();
}

// While a batch is in transit to another locale, the core fills the next one.
TEST(CombiningTree, SendsABatchBeforeAllTasksWait) {
  expect_several_batches<int64_t>([](int64_t k) { return k; }, &hash_of_key);
  expect_several_batches<std::string>([](int64_t k) { return std::to_string(k); },
                                      [](const std::string& key) { return hash_bytes(key); });
}

// The gatherers have no operations of their own, so they would not cache the keys.
TEST(CombiningTree, ReportsAnErasedKeyAsAbsentWhereItWasCached) {
  const auto set = GlobalSet<int64_t>::create(0, Combining::Distributed);
  for (Core user = 0; user < cores(); ++user) {
    delegate::call(user, [set, user] {
      for (int64_t i = 0; i < kPushes; ++i) {
        EXPECT_TRUE(set->insert(user * kValuesPerCore + i));
        EXPECT_TRUE(set->contains(user * kValuesPerCore + i));
      }
    });
    for (int64_t i = 0; i < kPushes; ++i) EXPECT_TRUE(set->erase(user * kValuesPerCore + i));
    delegate::call(user, [set, user] {
      for (int64_t i = 0; i < kPushes; ++i) {
        EXPECT_FALSE(set->contains(user * kValuesPerCore + i));
      }
    });
  }
  set->destroy();
}

// A batch has writes of several kinds, and lookups that find a value or not.
TEST(CombiningTree, AnswersEachCallerOfAMapWithItsOwnValue) {
  const auto map = GlobalMap<int64_t, int64_t>::create(0, Combining::Distributed);
  push_everywhere(map);
  on_all_cores([map] {
    const Core neighbour = static_cast<Core>((mycore() + 1) % cores());
    finish([map, neighbour] {
      for (int64_t task = 0; task < kTasks; ++task) {
        spawn([map, neighbour, task] {
          for (int64_t i = 0; i < kPushes; ++i) {
            const int64_t key = neighbour * kValuesPerCore + task * kPushes + i;
            int64_t value = 0;
            if (i % 3 == 0) {
              EXPECT_FALSE(map->lookup(-1 - key, &value));
            } else if (i % 3 == 1) {
              map->insert_or_combine(key, 1, [](int64_t a, int64_t b) { return a + b; });
            }
            EXPECT_TRUE(map->lookup(key, &value));
            EXPECT_EQ(3 * key + (i % 3 == 1 ? 1 : 0), value);
          }
        });
      }
    });
  });
  EXPECT_EQ(all_values(), map->size());
  map->destroy();
}

TEST(CombiningTree, GivesEachPopperConsecutiveElements) {
  const auto queue = Queue::create(0, Combining::Distributed);
  for (int64_t i = 0; i < all_values(); ++i) queue->push(i);
  const int64_t popped = sum_all_cores([queue] {
    int64_t mine = 0;
    finish([queue, &mine] {
      for (int64_t task = 0; task < kTasks; ++task) {
        spawn(unchecked([queue, &mine] {
          std::vector<int64_t> values(kPopped);
          while (const int64_t n = queue->try_pop(values.data(), kPopped)) {
            for (int64_t i = 1; i < n; ++i) ASSERT_EQ(values[size_t(i) - 1] + 1, values[size_t(i)]);
            mine += n;
          }
        }));
      }
    });
    return mine;
  });
  EXPECT_EQ(all_values(), popped);
  EXPECT_TRUE(queue->empty());
  queue->destroy();
}

TEST(CombiningTree, PopsEachElementOnce) {
  const auto stack = GlobalStack<int64_t>::create(0, Combining::Distributed);
  push_everywhere(stack);
  const int64_t sum = sum_all_cores([stack] {
    int64_t mine = 0;
    finish([stack, &mine] {
      for (int64_t task = 0; task < kTasks; ++task) {
        spawn(unchecked([stack, &mine] {
          for (int64_t value; stack->try_pop(&value);) mine += value;
        }));
      }
    });
    return mine;
  });
  EXPECT_EQ(sum_of_values(), sum);
  stack->destroy();
}

}  // namespace
