/// Tests of the cores that gather the batches of their locale. They pass in clusters without such
/// cores, too: with one locale, or with one core in each.

#include "structures/combining.hpp"
#include "structures/global_queue.hpp"
#include "structures/global_stack.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/reduce.hpp"

#include <Grappa.hpp>

#include <gflags/gflags.h>
#include <gtest/gtest.h>
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

bool has_gatherers() {
  return sum_all_cores([] { return int{mylocale() != locale_of(0) && locale_cores() > 1}; }) != 0;
}

// All tasks of all cores push kPushes values each, one after the other.
template <class Structure>
void push_everywhere(GlobalAddress<Structure> structure) {
  on_all_cores([structure] {
    finish([structure] {
      for (int64_t task = 0; task < kTasks; ++task) {
        spawn([structure, task] {
          for (int64_t i = 0; i < kPushes; ++i) {
            structure->push(mycore() * kValuesPerCore + task * kPushes + i);
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
  for (const bool tree : {false, true}) {
    switch_tree(tree);
    const auto queue = Queue::create(0, Combining::Distributed);
    const uint64_t gathered = all_gathered(), before = all_to_master(), commits = all_commits();
    push_everywhere(queue);
    messages[tree] = all_to_master() - before;
    EXPECT_LE(messages[tree], all_commits() - commits);
    EXPECT_EQ(tree && has_gatherers(), all_gathered() != gathered);
    EXPECT_EQ(all_values(), queue->size());
    queue->destroy();
  }
  switch_tree(flag);
  // Elsewhere, the speed of the cores determines how many batches meet.
  if (virtual_time != nullptr && has_gatherers()) {
    EXPECT_LT(2 * messages[true], messages[false]);
  }
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
