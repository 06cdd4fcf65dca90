#include "structures/global_vector.hpp"

#include "structures/global_bag.hpp"
#include "tests/harness/counted.hpp"
#include "tests/structures/modes.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

typedef GlobalVector<int64_t> Numbers;
typedef GlobalAddress<Numbers> NumbersAddress;

GlobalCompletionEvent event;

Core next_core() { return static_cast<Core>((mycore() + 1) % cores()); }

/// Returns the elements in order.
std::vector<int64_t> contents(NumbersAddress vector) {
  std::vector<int64_t> all(static_cast<size_t>(vector->size()));
  if (!all.empty()) {
    Grappa::memcpy(all.data(), vector->begin(), static_cast<int64_t>(all.size()));
  }
  return all;
}

std::vector<int64_t> numbers(int64_t first, int64_t end) {
  std::vector<int64_t> all;
  for (int64_t k = first; k < end; ++k) all.push_back(k);
  return all;
}

void push_numbers(NumbersAddress vector, int64_t first, int64_t end) {
  for (int64_t k = first; k < end; ++k) vector->push(k);
}

/// A fixture with an empty vector of minimum capacity. The tests run in each mode.
class GlobalVectorTest : public EachMode {
 protected:
  void SetUp() override {
    heap_bytes_before = heap_bytes_free();
    vector = Numbers::create(0, GetParam());
  }
  void TearDown() override {
    vector->destroy();
    EXPECT_EQ(heap_bytes_before, heap_bytes_free());
  }

  size_t heap_bytes_before;
  NumbersAddress vector;
};

GRAPPA_IN_EACH_MODE(GlobalVectorTest);

TEST_P(GlobalVectorTest, IsEmptyAtFirst) {
  const NumbersAddress v = vector;
  EXPECT_EQ(GetParam(), v->combining());
  on_all_cores([v] {
    EXPECT_EQ(0, v->size());
    EXPECT_TRUE(v->empty());
    EXPECT_EQ(v->begin(), v->end());
    int64_t value = 17;
    EXPECT_FALSE(v->try_pop(&value));
    EXPECT_FALSE(v->try_dequeue(&value));
    EXPECT_EQ(17, value);
  });
}

TEST_P(GlobalVectorTest, KeepsTheOrderOfPushes) {
  push_numbers(vector, 0, 100);
  EXPECT_EQ(100, vector->size());
  EXPECT_FALSE(vector->empty());
  EXPECT_EQ(numbers(0, 100), contents(vector));
  EXPECT_EQ(0, vector->front());
  EXPECT_EQ(99, vector->back());
  EXPECT_EQ(numbers(0, 100), contents(vector));  // these calls did not remove elements
}

TEST_P(GlobalVectorTest, PopsTheLastAndDequeuesTheFirst) {
  push_numbers(vector, 0, 10);
  EXPECT_EQ(9, vector->pop());
  EXPECT_EQ(0, vector->dequeue());
  EXPECT_EQ(8, vector->pop());
  EXPECT_EQ(1, vector->dequeue());
  EXPECT_EQ(2, vector->front());
  EXPECT_EQ(7, vector->back());
  EXPECT_EQ(numbers(2, 8), contents(vector));
  vector->push(100);
  int64_t value = 0;
  EXPECT_TRUE(vector->try_pop(&value));
  EXPECT_EQ(100, value);
  EXPECT_TRUE(vector->try_dequeue(&value));
  EXPECT_EQ(2, value);
  for (int64_t k = 3; k < 8; ++k) EXPECT_EQ(k, vector->dequeue());
  EXPECT_FALSE(vector->try_dequeue(&value));
  EXPECT_FALSE(vector->try_pop(&value));
  vector->push(5);
  EXPECT_EQ(std::vector<int64_t>{5}, contents(vector));
}

TEST_P(GlobalVectorTest, HasConsecutiveLinearAddresses) {
  push_numbers(vector, 0, 50);
  for (int k = 0; k < 7; ++k) vector->dequeue();
  const NumbersAddress v = vector;
  on_all_cores([v] {
    const GlobalAddress<int64_t> first = v->begin();
    EXPECT_TRUE(first.is_linear());
    EXPECT_EQ(first + 43, v->end());
    EXPECT_EQ(v->storage() + 7, first);
    for (int64_t i = mycore(); i < 43; i += cores()) {
      EXPECT_EQ(first + i, (*v)[i]);
      EXPECT_EQ(7 + i, delegate::read((*v)[i]));
    }
  });
}

TEST_P(GlobalVectorTest, GrowsAsNeeded) {
  const GlobalAddress<int64_t> before = vector->storage();
  push_numbers(vector, 0, 1024);
  EXPECT_EQ(before, vector->storage());
  vector->push(1024);
  EXPECT_NE(before, vector->storage());
  EXPECT_EQ(numbers(0, 1025), contents(vector));
  const NumbersAddress v = vector;
  delegate::call(next_core(), [v] { push_numbers(v, 1025, 2500); });
  EXPECT_EQ(numbers(0, 2500), contents(vector));
}

TEST_P(GlobalVectorTest, DoesNotGrowWithinItsCapacityHint) {
  const NumbersAddress told = Numbers::create(1500, GetParam());
  const GlobalAddress<int64_t> before = told->storage();
  push_numbers(told, 0, 1500);
  EXPECT_EQ(before, told->storage());
  EXPECT_EQ(numbers(0, 1500), contents(told));
  told->destroy();
}

TEST_P(GlobalVectorTest, DoesNotGrowAsAShortQueue) {
  push_numbers(vector, 0, 400);
  const size_t free = heap_bytes_free();
  for (int64_t k = 0; k < 1300; ++k) {
    vector->push(400 + k);
    EXPECT_EQ(k, vector->dequeue());
  }
  EXPECT_EQ(free, heap_bytes_free());
  EXPECT_EQ(numbers(1300, 1700), contents(vector));
}

TEST_P(GlobalVectorTest, IsClearedFromAnyCore) {
  push_numbers(vector, 0, 200);
  const NumbersAddress v = vector;
  delegate::call(next_core(), [v] { v->clear(); });
  EXPECT_TRUE(vector->empty());
  int64_t value;
  EXPECT_FALSE(vector->try_pop(&value));
  push_numbers(vector, 7, 10);
  EXPECT_EQ(numbers(7, 10), contents(vector));
}

TEST_P(GlobalVectorTest, KeepsTheOrderOfEachTask) {
  const NumbersAddress v = vector;
  on_all_cores([v] {
    CompletionEvent done;
    for (int64_t task = 0; task < 10; ++task) {
      const int64_t name = 10 * mycore() + task;
      spawn(&done, [v, name] { push_numbers(v, 1000 * name, 1000 * name + 20); });
    }
    done.wait();
  });
  std::vector<int64_t> next(static_cast<size_t>(10 * cores()));
  for (const int64_t x : contents(vector))
    EXPECT_EQ(x % 1000, next[static_cast<size_t>(x / 1000)]++);
  EXPECT_EQ(std::vector<int64_t>(static_cast<size_t>(10 * cores()), 20), next);
}

/// Returns the elements of `taken` and of `vector`, in ascending order.
std::vector<int64_t> all_of(NumbersAddress vector, GlobalAddress<GlobalBag<int64_t>> taken) {
  static std::vector<int64_t> all;
  all = contents(vector);
  forall(taken, [](int64_t& x) {
    const int64_t value = x;
    delegate::call<async>(0, [value] { all.push_back(value); });
  });
  std::sort(all.begin(), all.end());
  return all;
}

TEST_P(GlobalVectorTest, NeitherLosesNorDuplicatesElements) {
  const int64_t n = GetParam() == Combining::Distributed ? 100000 : 3000;
  const NumbersAddress v = vector;
  const auto taken = GlobalBag<int64_t>::create();
  forall(0, n, [v, taken](int64_t i) {
    v->push(i);
    int64_t value;
    if (i % 3 == 1 && v->try_pop(&value)) taken->add(value);
    if (i % 5 == 2 && v->try_dequeue(&value)) taken->add(value);
  });
  EXPECT_EQ(n, vector->size() + taken->size());
  EXPECT_EQ(numbers(0, n), all_of(vector, taken));
  taken->destroy();
}

TEST_P(GlobalVectorTest, HasAllEarlierPushes) {
  // Each iteration pushes before it pops, so each pop finds an element.
  const NumbersAddress v = vector;
  const auto taken = GlobalBag<int64_t>::create();
  forall<1>(0, 1000, [v, taken](int64_t i) {
    v->push(i);
    int64_t value = -1;
    EXPECT_TRUE(i % 2 == 0 ? v->try_pop(&value) : v->try_dequeue(&value));
    taken->add(value);
  });
  EXPECT_TRUE(vector->empty());
  EXPECT_EQ(numbers(0, 1000), all_of(vector, taken));
  taken->destroy();
}

TEST_P(GlobalVectorTest, ShowsAPushToAllCoresWhenItReturns) {
  const NumbersAddress v = vector;
  for (int64_t k = 0; k < 20; ++k) {
    delegate::call(next_core(), [v, k] { v->push(k); });
    EXPECT_EQ(k + 1, vector->size());
    EXPECT_EQ(k, vector->back());
    EXPECT_EQ(k, delegate::call(next_core(), [v] { return v->back(); }));
  }
}

TEST_P(GlobalVectorTest, AcceptsHandlersAsCallers) {
  const NumbersAddress v = vector;
  const auto taken = GlobalBag<int64_t>::create();
  forall(0, 1000, [v, taken](int64_t i) {
    delegate::call<async>(next_core(), [v, taken, i] {
      v->push(i);
      int64_t value;
      if (i % 2 == 0 && v->try_pop(&value)) taken->add(value);
      if (i % 4 == 1 && v->try_dequeue(&value)) taken->add(value);
    });
  });
  EXPECT_EQ(numbers(0, 1000), all_of(vector, taken));
  taken->destroy();
}

TEST_P(GlobalVectorTest, HasAsyncPushesAtTheEndOfTheirScope) {
  const NumbersAddress v = vector;
  const int64_t n = GetParam() == Combining::Distributed ? 3000 : 300;
  finish([v, n] {
    on_all_cores([v, n] {
      for (int64_t k = 0; k < n; ++k) v->push<async>(n * mycore() + k);
    });
  });
  std::vector<int64_t> all = contents(vector);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(numbers(0, n * cores()), all);
}

TEST_P(GlobalVectorTest, DequeuesElementsInFrontOfPendingPushes) {
  // Tasks of one core push and dequeue, so one proxy collects both kinds of requests.
  const NumbersAddress v = vector;
  push_numbers(vector, 0, 100);
  static int64_t next;
  next = 0;
  finish([v] {
    for (int64_t k = 0; k < 50; ++k) {
      spawn([v, k] { v->push(1000 + k); });
      spawn([v] {
        const int64_t first = v->dequeue();
        EXPECT_LT(first, 100);
        ++next;
      });
    }
  });
  EXPECT_EQ(50, next);
  std::vector<int64_t> all = contents(vector);
  ASSERT_EQ(100u, all.size());
  EXPECT_EQ(numbers(50, 100), std::vector<int64_t>(all.begin(), all.begin() + 50));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(1049, all.back());
}

TEST_P(GlobalVectorTest, CombinesPopsPushesAndDequeuesOfOneProxy) {
  const NumbersAddress v = vector;
  const auto taken = GlobalBag<int64_t>::create();
  on_all_cores([v, taken] {
    finish([v, taken] {
      for (int64_t k = 0; k < 200; ++k) {
        const int64_t value = 200 * mycore() + k;
        const auto take = [v, taken](bool back) {
          int64_t got;
          if (back ? v->try_pop(&got) : v->try_dequeue(&got)) taken->add(got);
        };
        if (k % 4 == 0) spawn([take] { take(false); });
        spawn([v, value] { v->push(value); });
        if (k % 2 == 1) spawn([take] { take(true); });
      }
    });
  });
  EXPECT_EQ(numbers(0, 200 * cores()), all_of(vector, taken));
  taken->destroy();
}

TEST_P(GlobalVectorTest, IsLoopedOverWithEveryFormOfBody) {
  push_numbers(vector, 0, 1010);
  for (int k = 0; k < 10; ++k) vector->dequeue();
  const NumbersAddress v = vector;
  forall(vector, [](int64_t& x) { x -= 10; });
  forall(vector, [](int64_t i, int64_t& x) { EXPECT_EQ(i, x); });
  forall(vector, [](int64_t first, int64_t count, int64_t* few) {
    for (int64_t k = 0; k < count; ++k) few[k] += 2 * (first + k);
  });
  on_all_cores([v] { finish([v] { forall<async, 7>(v, [](int64_t& x) { x += 1; }); }); });
  forall<&event>(vector, [](int64_t& x) { x -= cores(); });
  const std::vector<int64_t> all = contents(vector);
  ASSERT_EQ(1000u, all.size());
  for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(3 * i, all[static_cast<size_t>(i)]);
}

TEST_P(GlobalVectorTest, IsLoopedOverWhenEmpty) {
  forall(vector, [](int64_t&) { ADD_FAILURE() << "there is no element"; });
}

struct Cell {
  int64_t a, b;
  char rest[48];
};

TEST_P(GlobalVectorTest, HoldsElementsOfOtherSizes) {
  const auto letters = GlobalVector<char>::create(0, GetParam());
  const auto cells = GlobalVector<Cell>::create(10, GetParam());
  on_all_cores([letters, cells] {
    for (int k = 0; k < 26; ++k) letters->push(static_cast<char>('a' + k));
    for (int64_t k = 0; k < 50; ++k) cells->push(Cell{k, -k, "cell"});
  });
  EXPECT_EQ(26 * cores(), letters->size());
  int count[26] = {};
  char letter;
  while (letters->try_dequeue(&letter)) ++count[letter - 'a'];
  EXPECT_EQ(26, std::count(count, count + 26, cores()));
  int64_t sum = 0;
  Cell cell;
  while (cells->try_pop(&cell)) {
    EXPECT_EQ(cell.a, -cell.b);
    EXPECT_STREQ("cell", cell.rest);
    sum += cell.a;
  }
  EXPECT_EQ(cores() * 50 * 49 / 2, sum);
  letters->destroy();
  cells->destroy();
}

TEST(GlobalVector, MatchesPopsWithPushesOfTheirCore) {
  const auto vector = Numbers::create(0, Combining::Distributed);
  push_numbers(vector, 0, 10);
  const Gain matched("structures.matched_pairs");
  static int64_t popped;
  popped = 0;
  finish([vector] {
    for (int64_t k = 0; k < 100; ++k) {
      spawn([vector, k] { vector->push(100 + k); });
      spawn([vector] { popped += vector->pop() >= 100 ? 1 : 0; });
    }
  });
  EXPECT_LT(50u, matched.value());
  EXPECT_LT(50, popped);
  EXPECT_EQ(10, vector->size());
  vector->destroy();
}

TEST(GlobalVector, CombinesInTheModeOfTheFlag) {
  const auto vector = Numbers::create();
  EXPECT_EQ(default_combining(), vector->combining());
  vector->destroy();
}

}  // namespace
