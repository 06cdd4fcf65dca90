/// Tests of GlobalStack in each mode. stack_linearizable_test.cpp tests linearizability.

#include "structures/global_stack.hpp"

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/repetitions.hpp"
#include "tests/structures/modes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

typedef GlobalStack<int64_t> Numbers;

class StackInEachMode : public EachMode {
 protected:
  void SetUp() override { stack = Numbers::create(0, GetParam()); }
  void TearDown() override { stack->destroy(); }

  int64_t sum_of_pops(int64_t* n) {
    int64_t value, sum = 0;
    for (*n = 0; stack->try_pop(&value); ++*n) sum += value;
    return sum;
  }

  GlobalAddress<Numbers> stack;
};

TEST_P(StackInEachMode, PopsInLifoOrder) {
  for (int64_t i = 0; i < 3000; ++i) stack->push(i);
  EXPECT_EQ(3000, stack->size());
  for (int64_t i = 2999; i >= 0; --i) ASSERT_EQ(i, stack->pop());
  EXPECT_TRUE(stack->empty());
}

TEST_P(StackInEachMode, ReportsThatItIsEmpty) {
  int64_t value = 42;
  EXPECT_FALSE(stack->try_pop(&value));
  EXPECT_EQ(42, value);
  EXPECT_TRUE(stack->empty());
  stack->push(7);
  EXPECT_FALSE(stack->empty());
  EXPECT_TRUE(stack->try_pop(&value));
  EXPECT_EQ(7, value);
  EXPECT_FALSE(stack->try_pop(&value));
}

TEST_P(StackInEachMode, IsSharedByAllCores) {
  const auto s = stack;
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [s, core] { s->push(100 + core); });
  }
  for (Core core = 0; core < cores(); ++core) {
    const int64_t expected = 100 + cores() - 1 - core;
    EXPECT_EQ(expected, delegate::call(core, [s] { return s->pop(); }));
  }
}

TEST_P(StackInEachMode, KeepsTheElementsOfManyTasks) {
  const auto s = stack;
  forall(0, 5000, [s](int64_t i) { s->push(i); });
  EXPECT_EQ(5000, stack->size());
  int64_t n;
  EXPECT_EQ(4999 * 5000 / 2, sum_of_pops(&n));
  EXPECT_EQ(5000, n);
}

TEST_P(StackInEachMode, CompletesAsyncPushesWithTheScope) {
  const auto s = stack;
  forall(0, 5000, [s](int64_t i) { s->push<async>(i); });
  EXPECT_EQ(5000, stack->size());
  finish([s] { s->push<async>(5000); });
  EXPECT_EQ(5001, stack->size());
  int64_t n;
  EXPECT_EQ(5000 * 5001 / 2, sum_of_pops(&n));
}

TEST_P(StackInEachMode, NeitherLosesNorDuplicatesElementsUnderMixedLoad) {
  const auto s = stack;
  const auto sums = symmetric<int64_t>(int64_t{0});
  forall(0, repetitions(20000, 5000), [s, sums](int64_t i) {
    int64_t value;
    if ((i * 7919 >> 3) % 2 == 0) {
      s->push(i);
      *sums += i;
    } else if (s->try_pop(&value)) {
      *sums -= value;
    }
  });
  const int64_t left = reduce<int64_t, collective_add>(sums);
  int64_t n;
  const int64_t size = stack->size();
  EXPECT_EQ(left, sum_of_pops(&n));
  EXPECT_EQ(size, n);
  global_free(sums);
}

TEST_P(StackInEachMode, IsClearedAtOnce) {
  const auto s = stack;
  forall(0, 3000, [s](int64_t i) { s->push(i); });
  stack->clear();
  EXPECT_TRUE(stack->empty());
  stack->push(1);
  EXPECT_EQ(1, stack->pop());
  EXPECT_TRUE(stack->empty());
}

TEST_P(StackInEachMode, AcceptsHandlersAsCallers) {
  const auto s = stack;
  on_all_cores([s] {
    const Core next = static_cast<Core>((mycore() + 1) % cores());
    forall_here<1>(0, 300, [s, next](int64_t i) {
      delegate::call(next, [s, i] { s->push(i); });
      delegate::call(next, [s] {
        int64_t value;
        EXPECT_TRUE(s->try_pop(&value));
      });
    });
  });
  EXPECT_TRUE(stack->empty());
}

GRAPPA_IN_EACH_MODE(StackInEachMode);

struct Wide {
  int64_t number;
  char rest[1504];  // avoids padding, because the test compares elements as bytes
};
struct Odd {
  char bytes[3];
};

template <class T>
T made(int64_t i);
template <>
Wide made<Wide>(int64_t i) {
  Wide wide;
  wide.number = i;
  for (size_t k = 0; k < sizeof wide.rest; ++k)
    wide.rest[k] = static_cast<char>(i + static_cast<int64_t>(k));
  return wide;
}
template <>
Odd made<Odd>(int64_t i) {
  return Odd{{static_cast<char>(i), static_cast<char>(i >> 8), static_cast<char>(i >> 16)}};
}

template <class T>
class StackOf : public testing::Test {};
typedef testing::Types<Wide, Odd> Elements;
TYPED_TEST_SUITE(StackOf, Elements);

TYPED_TEST(StackOf, ElementsOfAnySize) {
  for (Combining mode : {Combining::None, Combining::Centralized, Combining::Distributed}) {
    const auto s = GlobalStack<TypeParam>::create(0, mode);
    for (int64_t i = 0; i < 50; ++i) s->push(made<TypeParam>(i));
    for (int64_t i = 49; i >= 25; --i) {
      const TypeParam expected = made<TypeParam>(i), popped = s->pop();
      ASSERT_EQ(0, std::memcmp(&expected, &popped, sizeof expected));
    }
    forall(0, 2000, [s](int64_t i) { s->push(made<TypeParam>(i)); });
    EXPECT_EQ(2025, s->size());
    forall(0, 2025, [s](int64_t) { s->pop(); });
    EXPECT_TRUE(s->empty());
    s->destroy();
  }
}

int64_t total(const Counter& counter) {
  const Counter* const here = &counter;  // file-scope objects have the same address on all cores
  return sum_all_cores([here] { return static_cast<int64_t>(here->value()); });
}

TEST(StackCombining, MatchesAPopWithAPendingPushAndAPushWithAWaitingPop) {
  if (cores() == 1) GTEST_SKIP() << "a job of one core combines no operations";
  const auto s = Numbers::create();
  Metrics::reset_all_cores();
  // The test runs on the last core. The first request of a pair waits in the proxy when the second
  // request arrives.
  const Core last = static_cast<Core>(cores() - 1);
  delegate::call(last, [s] {
    for (int round = 0; round < 2; ++round) {
      CompletionEvent both;
      int64_t popped = 0;
      const auto pop = [s, &popped] { popped = s->pop(); };
      const auto push = [s] { s->push(17); };
      if (round == 0) {
        spawn(&both, push);
        spawn(&both, pop);
      } else {
        spawn(&both, pop);
        spawn(&both, push);
      }
      both.wait();
      EXPECT_EQ(17, popped);
    }
  });
  EXPECT_EQ(2, total(structure_counters::matched_pairs));
  EXPECT_EQ(0, total(structure_counters::commits));
  EXPECT_EQ(0, total(structure_counters::master_messages));
  s->destroy();
}

TEST(StackCombining, NeedsNoBatchInAJobOfOneCore) {
  if (cores() != 1) return;
  const auto s = Numbers::create();
  Metrics::reset_all_cores();
  for (int64_t i = 0; i < 100; ++i) s->push(i);
  finish([s] { s->push<async>(100); });
  for (int64_t i = 100; i >= 0; --i) ASSERT_EQ(i, s->pop());
  int64_t value = 7;
  EXPECT_FALSE(s->try_pop(&value));
  EXPECT_EQ(7, value);
  EXPECT_EQ(203, total(structure_counters::operations));
  EXPECT_EQ(0, total(structure_counters::commits));
  s->destroy();
}

TEST(StackCombining, SendsOneMessageForABatch) {
  const auto s = Numbers::create();
  Metrics::reset_all_cores();
  forall(0, 4000 * cores(), [s](int64_t i) { s->push(i); });
  EXPECT_EQ(4000 * cores(), total(structure_counters::operations));
  EXPECT_LE(total(structure_counters::commits), 2000 * cores());
  EXPECT_LE(total(structure_counters::master_messages), total(structure_counters::commits));
  s->destroy();
}

TEST(StackCombining, EndsWhenAPopMatchesTheOnlyAsyncPush) {
  for (int round = 0; round < 10; ++round) {
    const auto s = Numbers::create();
    finish([s] {
      s->push<async>(1);
      int64_t value;
      EXPECT_TRUE(s->try_pop(&value));
    });
    s->destroy();
  }
}

TEST(StackCombining, CountsOperationsThatAreNeverCommitted) {
  if (cores() == 1) GTEST_SKIP() << "a job of one core combines no operations";
  const auto s = Numbers::create();
  Metrics::reset_all_cores();
  const Core last = static_cast<Core>(cores() - 1);
  delegate::call(last, [s] {
    finish([s] {
      for (int i = 0; i < 100; ++i) {
        int64_t value;
        s->push<async>(i);
        EXPECT_TRUE(s->try_pop(&value));
      }
    });
  });
  EXPECT_EQ(200, total(structure_counters::operations));
  EXPECT_EQ(100, total(structure_counters::matched_pairs));
  s->destroy();
}

// Tasks that poll must not delay the start of a commit, even if a core has only two workers.
TEST(StackCombining, ContinuesWhileAllWorkersAreBusy) {
  const auto s = Numbers::create();
  const Core last = static_cast<Core>(cores() - 1);
  const int64_t pollers = 2 * scheduler().options().num_workers;
  delegate::call(last, [s, pollers] {
    finish([s, pollers] {
      spawn([s] {
        s->push<async>(1);
        s->push(2);
      });
      for (int64_t i = 0; i < pollers; ++i) {
        spawn([s] {
          while (s->size() < 2) yield();
        });
      }
    });
  });
  EXPECT_EQ(2, s->size());
  s->destroy();
}

// The scheduler starts more than num_workers workers only after it has detected a standstill. This
// can happen while the other core does not have a processor.
TEST_P(StackInEachMode, NeedsNoWorkerForEachAsyncPush) {
  const auto s = stack;
  const Core last = static_cast<Core>(cores() - 1);
  const size_t before = scheduler().pool().size();
  constexpr uint64_t kPushes = 30000;
  const uint64_t grown_before = counted("tasking.grown");
  delegate::call(last, [s] {
    finish([s] {
      for (uint64_t i = 0; i < kPushes; ++i) s->push<async>(static_cast<int64_t>(i));
    });
  });
  EXPECT_EQ(static_cast<int64_t>(kPushes), stack->size());
  const uint64_t grown = counted("tasking.grown") - grown_before;
  // The number of workers may have decreased, because workers that an earlier standstill added may
  // have been freed.
  EXPECT_LE(scheduler().pool().size(),
            before + static_cast<size_t>(scheduler().options().num_workers) + grown);
}

TEST(StackStorage, IsReused) {
  const auto s = Numbers::create();
  // The stack grows by one element in each round. If pages were not reused, a core would need 300.
  for (int64_t round = 0; round < 20; ++round) {
    forall(0, 3000, [s](int64_t i) { s->push(i); });
    forall(0, 2999, [s](int64_t) { s->pop(); });
  }
  EXPECT_EQ(20, s->size());
  s->destroy();
}

TEST(StackStorage, CanBeReserved) {
  const auto s = Numbers::create(1000000);
  s->push(5);
  EXPECT_EQ(5, s->pop());
  s->destroy();
}

Reducer<int64_t, ReducerType::Add> sum;

TEST_P(StackInEachMode, LoopsOverEachElement) {
  EXPECT_EQ(GetParam(), stack->combining());
  forall(stack, [](int64_t&) { ADD_FAILURE(); });
  const auto s = stack;
  forall(0, 400, [s](int64_t i) { s->push(i); });
  for (int k = 0; k < 100; ++k) stack->pop();
  forall(stack, [](int64_t& element) { element = 1; });
  sum.reset();
  finish([s] { forall<async, 7>(s, [](int64_t& element) { sum += element; }); });
  EXPECT_EQ(300, sum);
  EXPECT_EQ(1, stack->pop());
}

}  // namespace
