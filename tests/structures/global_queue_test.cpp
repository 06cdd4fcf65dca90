/// Tests of GlobalQueue in each mode. queue_linearizable_test.cpp tests linearizability.

#include "structures/global_queue.hpp"

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "tests/structures/modes.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

typedef GlobalQueue<int64_t> Numbers;

GlobalCompletionEvent event;
Reducer<int64_t, ReducerType::Add> sum;

class QueueInEachMode : public EachMode {
 protected:
  void SetUp() override { queue = Numbers::create(0, GetParam()); }
  void TearDown() override { queue->destroy(); }

  GlobalAddress<Numbers> queue;
};

TEST_P(QueueInEachMode, PopsInFifoOrder) {
  for (int64_t i = 0; i < 3000; ++i) queue->push(i);
  EXPECT_EQ(3000, queue->size());
  for (int64_t i = 0; i < 3000; ++i) ASSERT_EQ(i, queue->pop());
  EXPECT_TRUE(queue->empty());
}

TEST_P(QueueInEachMode, ReportsThatItIsEmpty) {
  int64_t value = 42;
  EXPECT_FALSE(queue->try_pop(&value));
  EXPECT_EQ(42, value);
  queue->enqueue(7);
  EXPECT_TRUE(queue->try_pop(&value));
  EXPECT_EQ(7, value);
  EXPECT_FALSE(queue->try_pop(&value));
  EXPECT_EQ(0, queue->try_pop(&value, 1));
}

TEST_P(QueueInEachMode, IsSharedByAllCores) {
  const auto q = queue;
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [q, core] { q->enqueue(100 + core); });
  }
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(100 + core,
              delegate::call(static_cast<Core>(cores() - 1 - core), [q] { return q->dequeue(); }));
  }
}

TEST_P(QueueInEachMode, KeepsTheOrderOfEachProducer) {
  const auto q = queue;
  // A value contains its producer and a number. Each core has several producers.
  const int64_t producers = 4 * cores();
  int64_t each = 300;
  forall<1>(0, producers, [q, each](int64_t producer) {
    for (int64_t i = 0; i < each; ++i) q->push(producer * each + i);
  });
  std::vector<int64_t> next(static_cast<size_t>(producers), 0);
  for (int64_t n = producers * each; n > 0; --n) {
    const int64_t value = queue->pop();
    const int64_t producer = value / each;
    ASSERT_EQ(next[static_cast<size_t>(producer)]++, value % each) << "producer " << producer;
  }
  EXPECT_TRUE(queue->empty());
}

TEST_P(QueueInEachMode, PopsSeveralAtATime) {
  const auto q = queue;
  for (int64_t i = 0; i < 5000; ++i)
    delegate::call(static_cast<Core>(i % cores()), [q, i] { q->push(i); });
  std::vector<int64_t> values(5000, -1);
  EXPECT_EQ(0, queue->try_pop(values.data(), 0));
  EXPECT_EQ(3000, queue->try_pop(values.data(), 3000));
  EXPECT_EQ(2000, queue->try_pop(values.data() + 3000, 5000));
  for (int64_t i = 0; i < 5000; ++i) ASSERT_EQ(i, values[static_cast<size_t>(i)]);
  EXPECT_EQ(0, queue->try_pop(values.data(), 5000));
}

// A segment of up to 60 KiB on another core is sent in one piece.
TEST(GlobalQueue, PopsMoreAtATimeThanFitsInASmallBuffer) {
  struct Page {
    int64_t words[512];
  };
  constexpr int64_t kPages = 40;
  const auto pages = GlobalQueue<Page>::create();
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [pages, core] {
      finish([pages, core] {
        for (int64_t i = 0; i < kPages; ++i) {
          pages->push<async>(Page{{core * kPages + i, -core}});
        }
      });
    });
  }
  std::vector<Page> values(static_cast<size_t>(kPages * cores()));
  EXPECT_EQ(kPages * cores(), pages->try_pop(values.data(), kPages * cores()));
  std::vector<int64_t> next(static_cast<size_t>(cores()));
  for (const Page& page : values) {
    const int64_t core = -page.words[1];
    EXPECT_EQ(core * kPages + next[static_cast<size_t>(core)]++, page.words[0]);
    EXPECT_EQ(0, page.words[511]);
  }
  pages->destroy();
}

TEST_P(QueueInEachMode, NeitherLosesNorDuplicatesElementsUnderMixedLoad) {
  const auto q = queue;
  const auto sums = symmetric<int64_t>(int64_t{0});
  forall(0, 20000, [q, sums](int64_t i) {
    int64_t value;
    if ((i * 7919 >> 3) % 2 == 0) {
      q->push(i);
      *sums += i;
    } else if (q->try_pop(&value)) {
      *sums -= value;
    }
  });
  int64_t left = reduce<int64_t, collective_add>(sums);
  std::vector<int64_t> rest(20000);
  const int64_t size = queue->size();
  EXPECT_EQ(size, queue->try_pop(rest.data(), 20000));
  for (int64_t i = 0; i < size; ++i) left -= rest[static_cast<size_t>(i)];
  EXPECT_EQ(0, left);
  global_free(sums);
}

TEST_P(QueueInEachMode, CompletesAsyncPushesWithTheScope) {
  const auto q = queue;
  forall(0, 5000, [q](int64_t i) { q->push<async>(i); });
  EXPECT_EQ(5000, queue->size());
  finish([q] { q->enqueue<async>(5000); });
  EXPECT_EQ(5001, queue->size());
}

TEST_P(QueueInEachMode, LoopsOverEachElementOnItsCore) {
  const auto q = queue;
  forall(0, 10000, [q](int64_t i) { q->push(i); });
  for (int64_t i = 0; i < 100; ++i) EXPECT_LE(0, queue->pop());  // makes some segments begin later
  const auto sums = symmetric<int64_t>(int64_t{0}), counts = symmetric<int64_t>(int64_t{0});
  forall(queue, [sums, counts](int64_t& value) {
    *sums += value;
    ++*counts;
    value = -1;
  });
  EXPECT_EQ(9900, (reduce<int64_t, collective_add>(counts)));
  EXPECT_EQ(9900, queue->size());
  int64_t popped = 0;
  for (int64_t i = 0; i < 9900; ++i) popped += queue->pop();
  EXPECT_EQ(-9900, popped);
  global_free(sums);
  global_free(counts);
}

TEST_P(QueueInEachMode, WaitsForWorkThatLoopBodiesStart) {
  const auto q = queue;
  const auto next = Numbers::create(0, GetParam());
  forall(0, 3000, [q](int64_t i) { q->push(i); });
  forall(queue, [next](int64_t& value) { next->push<async>(value); });
  EXPECT_EQ(3000, next->size());
  forall(next, [q](int64_t& value) { q->push(value); });
  EXPECT_EQ(6000, queue->size());
  next->destroy();
}

TEST_P(QueueInEachMode, AcceptsTheArgumentsOfLoops) {
  const auto q = queue;
  forall(0, 1000, [q](int64_t i) { q->push(i); });
  const auto add = [](int64_t& value) { sum += value; };
  forall<7>(queue, add);
  forall<&event>(queue, add);
  forall<async, &event, 100>(queue, add);
  event.wait();
  finish([q, add] { forall<async>(q, add); });
  EXPECT_EQ(4 * 999 * 1000 / 2, sum);
  sum.reset();
}

TEST_P(QueueInEachMode, LoopsOverAnEmptyQueue) {
  forall(queue, [](int64_t&) { ADD_FAILURE(); });
  queue->push(1);
  queue->pop();
  forall(queue, [](int64_t&) { ADD_FAILURE(); });
}

TEST_P(QueueInEachMode, IsClearedAtOnce) {
  const auto q = queue;
  forall(0, 3000, [q](int64_t i) { q->push(i); });
  queue->clear();
  EXPECT_TRUE(queue->empty());
  queue->push(1);
  EXPECT_EQ(1, queue->pop());
}

GRAPPA_IN_EACH_MODE(QueueInEachMode);

TEST(QueueCombining, SendsOneMessageForABatch) {
  const auto q = Numbers::create();
  Metrics::reset_all_cores();
  forall(0, 4000 * cores(), [q](int64_t i) {
    int64_t value;
    if (i % 2 == 0) {
      q->push(i);
    } else {
      q->try_pop(&value);
    }
  });
  const int64_t operations =
      sum_all_cores([] { return static_cast<int64_t>(structure_counters::operations.value()); });
  const int64_t messages = sum_all_cores(
      [] { return static_cast<int64_t>(structure_counters::master_messages.value()); });
  EXPECT_EQ(4000 * cores(), operations);
  EXPECT_LE(messages, operations / 2);
  q->destroy();
}

struct Odd {
  char bytes[3];
};

TEST(GlobalQueue, HoldsElementsOfAnySize) {
  for (Combining mode : {Combining::None, Combining::Centralized, Combining::Distributed}) {
    const auto queue = GlobalQueue<Odd>::create(100, mode);
    EXPECT_EQ(mode, queue->combining());
    for (int k = 0; k < 20; ++k) {
      delegate::call(static_cast<Core>(k % cores()), [queue, k] {
        queue->push(Odd{{static_cast<char>(k), 'x', static_cast<char>(-k)}});
      });
    }
    for (int k = 0; k < 20; ++k) {
      const Odd odd = queue->pop();
      EXPECT_EQ(k, odd.bytes[0]);
      EXPECT_EQ(-k, odd.bytes[2]);
    }
    queue->destroy();
  }
}

}  // namespace
