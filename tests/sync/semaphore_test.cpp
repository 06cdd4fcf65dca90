#include "system/sync/semaphore.hpp"

#include "system/sync/completion_event.hpp"
#include "tests/harness/tasks.hpp"
#include "tests/sync/settle.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>
#include <vector>

namespace Grappa { namespace {

/// Spawns a task that takes and then logs `units`. Returns when the task waits or has ended.
void spawn_taker(int64_t units, Semaphore* semaphore, std::vector<int64_t>* order) {
  spawn([=] {
    semaphore->decrement(units);
    order->push_back(units);
  });
  settle();
}

TEST(CountingSemaphore, CountsIncrementsAndDecrements) {
  CountingSemaphore semaphore(3);
  semaphore.increment();
  semaphore.increment(10);
  EXPECT_EQ(semaphore.get_value(), 14);
  semaphore.decrement();
  semaphore.decrement(4);
  EXPECT_EQ(semaphore.get_value(), 9);
  EXPECT_EQ(CountingSemaphore().get_value(), 0);
}

TEST(CountingSemaphore, TryDecrementFailsIfThereAreTooFewUnits) {
  CountingSemaphore semaphore(2);
  EXPECT_FALSE(semaphore.try_decrement(3));
  EXPECT_EQ(semaphore.get_value(), 2);
  EXPECT_TRUE(semaphore.try_decrement());
  EXPECT_TRUE(semaphore.try_decrement());
  EXPECT_FALSE(semaphore.try_decrement());
  EXPECT_EQ(semaphore.get_value(), 0);
}

TEST(CountingSemaphore, CountsBeyondSmallIntegers) {
  const int64_t large = std::numeric_limits<int64_t>::max();
  CountingSemaphore semaphore(large - 1);
  semaphore.increment();
  EXPECT_EQ(semaphore.get_value(), large);
  semaphore.decrement(large);
  EXPECT_EQ(semaphore.get_value(), 0);
}

TEST(CountingSemaphore, GrantsZeroUnitsAtOnce) {
  CountingSemaphore semaphore;
  semaphore.decrement(0);
  EXPECT_TRUE(semaphore.try_decrement(0));
  semaphore.increment(0);
  EXPECT_EQ(semaphore.get_value(), 0);
}

TEST(CountingSemaphore, ServesInTheOrderOfArrival) {
  std::vector<int> order;
  run_tasks([&order] {
    CountingSemaphore semaphore;
    for (int id = 0; id < 4; ++id) {
      spawn([&, id] {
        semaphore.decrement();
        order.push_back(id);
      });
    }
    settle();
    for (size_t given = 1; given <= 2; ++given) {
      semaphore.increment();
      settle();
      EXPECT_EQ(order.size(), given);
    }
    semaphore.increment(2);
    settle();
    EXPECT_EQ(semaphore.get_value(), 0);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

TEST(CountingSemaphore, SmallRequestsDoNotStarveALargeOne) {
  std::vector<int64_t> order;
  run_tasks([&order] {
    CountingSemaphore semaphore(2);
    spawn_taker(3, &semaphore, &order);
    spawn_taker(1, &semaphore, &order);
    EXPECT_FALSE(semaphore.try_decrement());
    EXPECT_TRUE(order.empty());  // two units are available, but the older request needs three
    EXPECT_EQ(semaphore.get_value(), 2);
    semaphore.increment();
    settle();
    EXPECT_EQ(order, (std::vector<int64_t>{3}));
    semaphore.increment();
    settle();
  });
  EXPECT_EQ(order, (std::vector<int64_t>{3, 1}));
}

TEST(CountingSemaphore, OneIncrementServesAsManyRequestsAsPossible) {
  run_tasks([] {
    CountingSemaphore semaphore;
    std::vector<int64_t> order;
    for (int64_t units : {2, 1, 4, 1}) spawn_taker(units, &semaphore, &order);
    semaphore.increment(6);
    EXPECT_TRUE(order.empty());  // an increment does not switch
    settle();
    EXPECT_EQ(order, (std::vector<int64_t>{2, 1}));
    EXPECT_EQ(semaphore.get_value(), 3);
    semaphore.increment(2);
    settle();
    EXPECT_EQ(order, (std::vector<int64_t>{2, 1, 4, 1}));
    EXPECT_EQ(semaphore.get_value(), 0);
  });
}

TEST(CountingSemaphore, ANewRequestCannotTakeTheUnitsOfAWokenTask) {
  std::vector<int64_t> order;
  run_tasks([&order] {
    CountingSemaphore semaphore;
    spawn_taker(2, &semaphore, &order);
    semaphore.increment(2);
    EXPECT_EQ(semaphore.get_value(), 0);  // the woken task owns the units
    EXPECT_FALSE(semaphore.try_decrement());
    spawn([&semaphore] { semaphore.increment(); });
    semaphore.decrement();
    order.push_back(1);
  });
  EXPECT_EQ(order, (std::vector<int64_t>{2, 1}));
}

TEST(CountingSemaphore, LimitsTheNumberOfConcurrentTasks) {
  constexpr int kLimit = 3, kTasks = 10;
  int begun = 0, inside = 0, most_inside = 0, turns = 0;
  run_tasks([&] {
    CountingSemaphore semaphore(kLimit);
    CompletionEvent ended;
    for (int id = 0; id < kTasks; ++id) {
      spawn(&ended, [&, id] {
        ++begun;
        while (begun < kTasks) yield();  // otherwise a task might end before the next begins
        for (int turn = 0; turn < 40; ++turn) {
          semaphore.decrement();
          most_inside = std::max(most_inside, ++inside);
          for (int k = 0; k <= id; ++k) yield();
          --inside;
          ++turns;
          semaphore.increment();
        }
      });
    }
    ended.wait();
    EXPECT_EQ(semaphore.get_value(), kLimit);
  });
  EXPECT_EQ(most_inside, kLimit);
  EXPECT_EQ(turns, 40 * kTasks);
}

/// The reference implementation: a queue whose first request is served when there are enough units.
struct Line {
  struct Request {
    int id;
    int64_t units;
  };

  void arrive(Request request) {
    requests.push_back(request);
    serve();
  }
  void give(int64_t units) {
    value += units;
    serve();
  }
  void serve() {
    while (!requests.empty() && requests.front().units <= value) {
      value -= requests.front().units;
      served.insert(requests.front().id);
      requests.erase(requests.begin());
    }
  }

  int64_t value = 0;
  std::vector<Request> requests;
  std::set<int> served;
};

void compare_with_line(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  Line line;
  CountingSemaphore semaphore;
  int requests = 0;
  CompletionEvent ended;
  for (int task = 0; task < 12; ++task) {
    spawn(&ended, [&] {
      for (int k = 0; k < 30; ++k) {
        const int64_t units = below(5);
        switch (below(5)) {
          case 0:
          case 1:
            line.give(units);
            semaphore.increment(units);
            break;
          case 2: {
            const bool expected = line.requests.empty() && units <= line.value;
            if (expected) line.value -= units;
            ASSERT_EQ(semaphore.try_decrement(units), expected);
            break;
          }
          case 3: {
            const int id = requests++;
            line.arrive({id, units});
            semaphore.decrement(units);
            ASSERT_EQ(line.served.count(id), 1u) << "the request was served too early";
            break;
          }
          default: yield();
        }
        ASSERT_EQ(semaphore.get_value(), line.value);
      }
    });
  }
  for (settle(); ended.get_count() > 0; settle()) {
    EXPECT_EQ(static_cast<int64_t>(line.requests.size()), ended.get_count()) << "waiting tasks";
    line.give(1);
    semaphore.increment(1);
  }
}

TEST(CountingSemaphore, ServesRandomRequestsInOrderOfArrival) {
  run_tasks([] {
    const unsigned first = std::random_device()() % 1000000;
    for (unsigned seed = first; seed < first + 200 && !testing::Test::HasFailure(); ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      compare_with_line(seed);
    }
  });
}

TEST(CountingSemaphore, FitsTheBlocksOfTheGlobalHeap) { EXPECT_EQ(sizeof(CountingSemaphore), 16u); }

TEST(CountingSemaphore, FreeFunctionsTakeReferencesAndPointers) {
  Semaphore semaphore;
  increment(semaphore);
  increment(&semaphore);
  increment(semaphore, 10);
  increment(&semaphore, 100);
  EXPECT_EQ(get_value(semaphore), 112);
  decrement(semaphore);
  decrement(&semaphore);
  decrement(semaphore, 5);
  decrement(&semaphore, 50);
  EXPECT_EQ(get_value(&semaphore), 55);
  EXPECT_TRUE(try_decrement(semaphore));
  EXPECT_TRUE(try_decrement(&semaphore));
  EXPECT_TRUE(try_decrement(semaphore, 3));
  EXPECT_TRUE(try_decrement(&semaphore, 50));
  EXPECT_FALSE(try_decrement(semaphore));
  EXPECT_FALSE(try_decrement(&semaphore));
}

TEST(CountingSemaphoreDeathTest, RejectsNegativeCounts) {
  EXPECT_DEATH(CountingSemaphore(-1), "CountingSemaphore: invalid value -1");
  CountingSemaphore semaphore(5);
  EXPECT_DEATH(semaphore.increment(-2), "increment of a semaphore: invalid count -2");
  EXPECT_DEATH(semaphore.decrement(-2), "decrement of a semaphore: invalid count -2");
  EXPECT_DEATH(semaphore.try_decrement(-2), "decrement of a semaphore: invalid count -2");
}

TEST(CountingSemaphoreDeathTest, RejectsAnOverflowOfTheValue) {
  CountingSemaphore semaphore(1);
  EXPECT_DEATH(semaphore.increment(std::numeric_limits<int64_t>::max()), "would overflow");
}

}}  // namespace Grappa
