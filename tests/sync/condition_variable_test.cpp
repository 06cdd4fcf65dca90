#include "system/sync/condition_variable.hpp"

#include "system/sync/completion_event.hpp"
#include "tests/harness/tasks.hpp"
#include "tests/sync/settle.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace Grappa { namespace {

/// Spawns `n` tasks that wait for `condition` and then append their numbers. Returns when all wait.
void spawn_waiters(int n, ConditionVariable* condition, std::vector<int>* order) {
  for (int id = 0; id < n; ++id) {
    spawn([condition, order, id] {
      condition->wait();
      order->push_back(id);
    });
  }
  settle();
}

/// Like the overload above, but the tasks hold `mutex` while they append.
void spawn_waiters(int n, ConditionVariable* condition, Mutex* mutex, std::vector<int>* order) {
  for (int id = 0; id < n; ++id) {
    spawn([condition, mutex, order, id] {
      mutex->lock();
      condition->wait(*mutex);
      EXPECT_FALSE(mutex->is_unlocked());
      order->push_back(id);
      yield();
      mutex->unlock();
    });
  }
  settle();
}

TEST(ConditionVariable, SignalsTheTaskThatHasWaitedLongest) {
  std::vector<int> order;
  run_tasks([&order] {
    ConditionVariable condition;
    spawn_waiters(3, &condition, &order);
    for (size_t signals = 1; signals <= 3; ++signals) {
      condition.signal();
      settle();
      EXPECT_EQ(order.size(), signals);
    }
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(ConditionVariable, BroadcastWakesAllInTheOrderOfArrival) {
  std::vector<int> order;
  run_tasks([&order] {
    ConditionVariable condition;
    spawn_waiters(4, &condition, &order);
    condition.broadcast();
    EXPECT_TRUE(order.empty());  // a broadcast does not switch
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

TEST(ConditionVariable, ASignalWithoutAWaitingTaskHasNoEffect) {
  run_tasks([] {
    ConditionVariable condition;
    std::vector<int> order;
    condition.signal();
    condition.broadcast();
    spawn_waiters(1, &condition, &order);
    EXPECT_TRUE(order.empty());
    condition.signal();
    settle();
    EXPECT_EQ(order.size(), 1u);
  });
}

TEST(ConditionVariable, BroadcastIgnoresTasksThatWaitAgain) {
  run_tasks([] {
    ConditionVariable condition;
    int turns = 0;
    spawn([&] {
      for (; turns < 3; ++turns) condition.wait();
    });
    for (int woken = 0; woken < 3; ++woken) {
      settle();
      EXPECT_EQ(turns, woken);
      condition.broadcast();
    }
    settle();
    EXPECT_EQ(turns, 3);
  });
}

TEST(ConditionVariable, UnlocksTheMutexDuringTheWait) {
  run_tasks([] {
    ConditionVariable condition;
    Mutex mutex;
    std::vector<int> order;
    spawn_waiters(2, &condition, &mutex, &order);
    EXPECT_TRUE(mutex.is_unlocked());
    condition.broadcast();
    settle();
  });
}

TEST(ConditionVariable, HoldsTheMutexAfterTheWait) {
  std::vector<int> order;
  run_tasks([&order] {
    ConditionVariable condition;
    Mutex mutex;
    spawn_waiters(3, &condition, &mutex, &order);
    mutex.lock();
    condition.broadcast();
    settle();
    EXPECT_TRUE(order.empty());  // signalled, but the mutex is still locked
    mutex.unlock();
    settle();
    EXPECT_TRUE(mutex.is_unlocked());
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(ConditionVariable, SignaledTasksRunOneAtATimeWithTheMutex) {
  run_tasks([] {
    ConditionVariable condition;
    Mutex mutex;
    std::vector<int> order;
    spawn_waiters(2, &condition, &mutex, &order);
    condition.signal();
    settle();
    EXPECT_EQ(order, (std::vector<int>{0}));
    condition.signal();
    settle();
    EXPECT_EQ(order, (std::vector<int>{0, 1}));
  });
}

TEST(ConditionVariable, NoNewTaskLocksBeforeTheSignaledTask) {
  std::vector<int> order;
  run_tasks([&order] {
    ConditionVariable condition;
    Mutex mutex;
    spawn_waiters(2, &condition, &mutex, &order);
    condition.signal();
    condition.signal();
    EXPECT_FALSE(mutex.trylock());  // the first task owns the lock, although it has not run yet
    mutex.lock();
    order.push_back(2);
    mutex.unlock();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(ConditionVariable, QueuesSignaledTasksBehindWaitersForTheMutex) {
  std::vector<int> order;
  run_tasks([&order] {
    ConditionVariable condition;
    Mutex mutex;
    spawn_waiters(1, &condition, &mutex, &order);
    mutex.lock();
    spawn([&] {
      mutex.lock();
      order.push_back(1);
      mutex.unlock();
    });
    settle();
    condition.signal();
    mutex.unlock();
    settle();
  });
  EXPECT_EQ(order, (std::vector<int>{1, 0}));
}

TEST(ConditionVariable, LosesNoSignalBetweenUnlockAndWait) {
  run_tasks([] {
    ConditionVariable condition;
    Mutex mutex;
    bool done = false;
    mutex.lock();
    spawn([&] {
      mutex.lock();
      done = true;
      condition.signal();
      mutex.unlock();
    });
    settle();  // the other task waits for the mutex
    while (!done) condition.wait(mutex);
    mutex.unlock();
  });
}

TEST(ConditionVariable, ServesWaitersWithDifferentMutexes) {
  run_tasks([] {
    ConditionVariable condition;
    Mutex left, right;
    std::vector<int> order;
    spawn_waiters(1, &condition, &left, &order);
    spawn_waiters(1, &condition, &right, &order);
    spawn_waiters(1, &condition, &order);
    left.lock();
    condition.broadcast();
    settle();
    EXPECT_EQ(order.size(), 2u);  // all except the task whose mutex is locked
    left.unlock();
    settle();
    EXPECT_EQ(order.size(), 3u);
  });
}

TEST(ConditionVariable, PassesEveryItemOfABoundedBuffer) {
  constexpr int kItems = 300, kProducers = 3, kConsumers = 4, kRoom = 2;
  std::vector<int> taken(kItems * kProducers, 0);
  run_tasks([&taken] {
    Mutex mutex;
    ConditionVariable not_full, not_empty;
    std::vector<int> buffer;
    int left = kItems * kProducers;
    CompletionEvent ended;
    for (int producer = 0; producer < kProducers; ++producer) {
      spawn(&ended, [&, producer] {
        for (int k = 0; k < kItems; ++k) {
          mutex.lock();
          while (buffer.size() == kRoom) not_full.wait(mutex);
          yield();  // a critical section that suspends
          buffer.push_back(producer * kItems + k);
          EXPECT_LE(buffer.size(), size_t{kRoom});
          not_empty.signal();
          mutex.unlock();
        }
      });
    }
    for (int consumer = 0; consumer < kConsumers; ++consumer) {
      spawn(&ended, [&] {
        mutex.lock();
        for (;;) {
          while (buffer.empty() && left > 0) not_empty.wait(mutex);
          if (left == 0) break;
          const int item = buffer.back();
          yield();
          buffer.pop_back();
          ++taken[static_cast<size_t>(item)];
          if (--left == 0) not_empty.broadcast();
          not_full.signal();
        }
        mutex.unlock();
      });
    }
    ended.wait();
  });
  for (int times : taken) EXPECT_EQ(times, 1);
}

TEST(ConditionVariable, FitsTheBlocksOfTheGlobalHeap) { EXPECT_EQ(sizeof(ConditionVariable), 8u); }

TEST(ConditionVariable, FreeFunctionsTakeReferencesAndPointers) {
  int returned = 0;
  run_tasks([&returned] {
    ConditionVariable condition;
    Mutex mutex;
    CompletionEvent ended;
    spawn(&ended, [&] { wait(condition), ++returned; });
    spawn(&ended, [&] { wait(&condition), ++returned; });
    spawn(&ended, [&] { lock(mutex), wait(condition, mutex), unlock(mutex), ++returned; });
    spawn(&ended, [&] { lock(mutex), wait(&condition, &mutex), unlock(mutex), ++returned; });
    settle();
    signal(condition);
    settle();
    EXPECT_EQ(returned, 1);
    signal(&condition);
    settle();
    EXPECT_EQ(returned, 2);
    broadcast(condition);
    ended.wait();
    void (*const wake_all[])(ConditionVariable*) = {
        [](ConditionVariable* c) { broadcast(c); },
        [](ConditionVariable* c) { signal_all(c); },
        [](ConditionVariable* c) { signal_all(*c); },
        [](ConditionVariable* c) { c->signal_all(); },
    };
    for (auto wake : wake_all) {
      for (int k = 0; k < 2; ++k) spawn(&ended, [&] { wait(condition), ++returned; });
      settle();
      wake(&condition);
      ended.wait();
    }
  });
  EXPECT_EQ(returned, 12);
}

TEST(ConditionVariableDeathTest, RejectsAnUnlockedMutex) {
  ConditionVariable condition;
  Mutex mutex;
  EXPECT_DEATH(condition.wait(mutex), "with an unlocked mutex: lock the mutex first");
}

}}  // namespace Grappa
