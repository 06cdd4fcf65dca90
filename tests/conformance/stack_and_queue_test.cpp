/// Reference section "Containers": GlobalStack, GlobalQueue and flat combining, in every mode.

#include "structures/flat_combiner.hpp"
#include "structures/global_queue.hpp"
#include "structures/global_stack.hpp"
#include "tests/conformance/samples.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace conformance;

namespace {

const Combining kModes[] = {Combining::None, Combining::Centralized, Combining::Distributed};

template <class T>
void fill_and_take_stack(Combining mode) {
  const auto stack = GlobalStack<T>::create(100, mode);
  EXPECT_EQ(mode, stack->combining());
  for (int64_t k = 0; k < 50; ++k) {
    delegate::call(static_cast<Core>(k % cores()), [stack, k] { stack->push(sample<T>(k)); });
  }
  EXPECT_EQ(50, stack->size());
  T value;
  EXPECT_TRUE(stack->try_pop(&value));
  EXPECT_TRUE(sample<T>(49) == value);
  for (int64_t k = 48; k >= 10; --k) EXPECT_TRUE(sample<T>(k) == stack->pop());
  EXPECT_FALSE(stack->empty());
  stack->clear();
  EXPECT_TRUE(stack->empty());
  EXPECT_FALSE(stack->try_pop(&value));
  EXPECT_TRUE(sample<T>(49) == value);
  stack->destroy();
}

TEST(GlobalStack, OfEachType) {
  for (const Combining mode : kModes) {
    fill_and_take_stack<int64_t>(mode);
    fill_and_take_stack<double>(mode);
    fill_and_take_stack<char>(mode);
    fill_and_take_stack<Triple>(mode);
    fill_and_take_stack<Record>(mode);
  }
}

TEST(GlobalStack, ConcurrentCallsOfAllCores) {
  for (const Combining mode : kModes) {
    const auto stack = GlobalStack<int64_t>::create(0, mode);
    forall(0, 600, [stack](int64_t i) { stack->push(i); });
    forall(0, 300, [stack](int64_t i) { stack->push<async>(600 + i); });
    std::vector<int64_t> all;
    while (!stack->empty()) all.push_back(stack->pop());
    std::sort(all.begin(), all.end());
    ASSERT_EQ(900u, all.size());
    for (int64_t i = 0; i < 900; ++i) EXPECT_EQ(i, all[static_cast<size_t>(i)]);
    stack->destroy();
  }
}

template <class T>
void fill_and_take_queue(Combining mode) {
  const auto queue = GlobalQueue<T>::create(100, mode);
  EXPECT_EQ(mode, queue->combining());
  for (int64_t k = 0; k < 50; ++k) {
    delegate::call(static_cast<Core>(k % cores()), [queue, k] {
      if (k % 2 == 0) {
        queue->push(sample<T>(k));
      } else {
        queue->enqueue(sample<T>(k));
      }
    });
  }
  EXPECT_EQ(50, queue->size());
  EXPECT_TRUE(sample<T>(0) == queue->pop());
  EXPECT_TRUE(sample<T>(1) == queue->dequeue());
  T value;
  EXPECT_TRUE(queue->try_pop(&value));
  EXPECT_TRUE(sample<T>(2) == value);
  T several[40];
  EXPECT_EQ(40, queue->try_pop(several, 40));
  for (int64_t k = 0; k < 40; ++k) EXPECT_TRUE(sample<T>(3 + k) == several[k]);
  EXPECT_EQ(7, queue->try_pop(several, 40));
  EXPECT_TRUE(queue->empty());
  EXPECT_FALSE(queue->try_pop(&value));
  queue->push(value);
  queue->clear();
  EXPECT_TRUE(queue->empty());
  queue->destroy();
}

TEST(GlobalQueue, OfEachType) {
  for (const Combining mode : kModes) {
    fill_and_take_queue<int64_t>(mode);
    fill_and_take_queue<double>(mode);
    fill_and_take_queue<char>(mode);
    fill_and_take_queue<Triple>(mode);
    fill_and_take_queue<Record>(mode);
  }
}

Reducer<int64_t, ReducerType::Add> sum;

TEST(GlobalQueue, ImplementsAFrontier) {
  for (const Combining mode : kModes) {
    const auto now = GlobalQueue<int64_t>::create(0, mode);
    const auto next = GlobalQueue<int64_t>::create(0, mode);
    forall(0, 400, [now](int64_t i) { now->push<async>(i); });
    forall(now, [next](int64_t& i) {
      if (i % 2 == 0) next->enqueue<async>(i);
    });
    sum.reset();
    forall(next, [](int64_t& i) { sum += i; });
    EXPECT_EQ(199 * 200, sum);
    EXPECT_EQ(200, next->size());
    now->destroy();
    next->destroy();
  }
}

TEST(Containers, GlobalStackForall) {
  for (Combining mode : kModes) {
    const auto stack = GlobalStack<int64_t>::create(0, mode);
    forall(stack, [](int64_t&) { FAIL(); });
    forall(0, 400, [stack](int64_t i) { stack->push(i); });
    for (int64_t k = 0; k < 100; ++k) stack->pop();
    sum.reset();
    forall(stack, [](int64_t& i) { i = 1; });
    finish([stack] { forall<async, 7>(stack, [](int64_t& i) { sum += i; }); });
    EXPECT_EQ(300, sum);
    EXPECT_EQ(1, stack->pop());
    stack->destroy();
  }
}

/// A counter that tests FCProxy and FlatCombiner.
class CounterProxy : public FCProxy {
 public:
  explicit CounterProxy(GlobalAddress<int64_t> total) : total_(total) {}

  int64_t fetch_add(int64_t n) {
    const int64_t before = sum_;
    sum_ += n;
    wait();
    return base_ + before;
  }
  void add_async(int64_t n) {
    sum_ += n;
    complete_in_scope();
  }
  /// Cancels the latest addition, whose value no other task has read.
  void cancel(int64_t n) {
    if (waiting_requests() == 0) return;
    sum_ -= n;
    wake_last();
  }
  bool is_full() const override { return waiting_requests() >= 100; }
  void sync() override { base_ = delegate::fetch_and_add(total_, sum_); }

 private:
  const GlobalAddress<int64_t> total_;
  int64_t sum_ = 0;
  int64_t base_ = 0;
};

struct Counter {
  explicit Counter(GlobalAddress<int64_t> total) : combiner(total) {}
  FlatCombiner<CounterProxy> combiner;
};

TEST(FlatCombiner, UserDefinedProxy) {
  int64_t total = 0;
  const auto counter = symmetric<Counter>(make_global(&total));
  const auto times = global_alloc<int64_t>(1000);
  memset(times, int64_t{0}, 1000);
  forall(0, 1000, [counter, times](int64_t) {
    delegate::increment<async>(times + counter->combiner->fetch_add(1), 1);
  });
  EXPECT_EQ(1000, total);
  forall(times, 1000, [](int64_t& n) { EXPECT_EQ(1, n); });
  finish([counter] { on_all_cores([counter] { counter->combiner->add_async(10); }); });
  EXPECT_EQ(1000 + 10 * cores(), total);
  const int64_t before = counter->combiner.combine([](CounterProxy& proxy) {
    proxy.cancel(0);  // no task waits
    return proxy.fetch_add(5);
  });
  EXPECT_EQ(1000 + 10 * cores(), before);
  EXPECT_EQ(before + 5, total);
  global_free(times);
  global_free(counter);
}

}  // namespace
