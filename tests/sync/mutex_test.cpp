#include "system/sync/mutex.hpp"

#include "system/sync/completion_event.hpp"
#include "tests/harness/tasks.hpp"
#include "tests/sync/settle.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace Grappa { namespace {

TEST(Mutex, PassesToWaitersInOrderOfArrival) {
  TaskRunner runner;
  runner.run([&runner] {
    Mutex mutex;
    CompletionEvent arrived(3);
    std::vector<int> order;
    mutex.lock();
    for (int id = 0; id < 3; ++id) {
      spawn([&, id] {
        arrived.complete();
        mutex.lock();
        order.push_back(id);
        mutex.unlock();
      });
    }
    arrived.wait();  // complete() does not switch, so each task has also reached lock()
    EXPECT_TRUE(order.empty());
    mutex.unlock();
    runner.wait_for_tasks();
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
  });
}

TEST(Mutex, TrylockFailsWhileHeld) {
  Mutex mutex;
  EXPECT_TRUE(mutex.trylock());
  EXPECT_FALSE(mutex.trylock());
  mutex.unlock();
  EXPECT_TRUE(mutex.trylock());
  mutex.unlock();
}

TEST(Mutex, ReportsWhetherItIsHeld) {
  run_tasks([] {
    Mutex mutex;
    EXPECT_TRUE(mutex.is_unlocked());
    mutex.lock();
    EXPECT_FALSE(mutex.is_unlocked());
    mutex.unlock();
    EXPECT_TRUE(mutex.is_unlocked());
  });
}

TEST(Mutex, ExcludesOtherTasksAcrossSwitches) {
  int inside = 0, most_inside = 0, turns = 0;
  run_tasks([&] {
    Mutex mutex;
    CompletionEvent ended;
    for (int id = 0; id < 8; ++id) {
      spawn(&ended, [&, id] {
        for (int turn = 0; turn < 50; ++turn) {
          mutex.lock();
          most_inside = ++inside > most_inside ? inside : most_inside;
          for (int k = 0; k <= id; ++k) yield();
          --inside;
          ++turns;
          mutex.unlock();
        }
      });
    }
    ended.wait();
  });
  EXPECT_EQ(most_inside, 1);
  EXPECT_EQ(turns, 400);
}

TEST(Mutex, LockingInALoopDoesNotStarveOthers) {
  run_tasks([] {
    Mutex mutex;
    bool other_had_it = false;
    int turns = 0;
    spawn([&] {
      mutex.lock();
      other_had_it = true;
      mutex.unlock();
    });
    while (!other_had_it && turns < 10000) {
      mutex.lock();
      ++turns;
      yield();
      mutex.unlock();
    }
    EXPECT_TRUE(other_had_it);
  });
}

TEST(Mutex, UnlockPassesTheLockDirectlyToAWaiter) {
  run_tasks([] {
    Mutex mutex;
    CompletionEvent arrived(1), ended;
    mutex.lock();
    spawn(&ended, [&] {
      arrived.complete();
      mutex.lock();
      mutex.unlock();
    });
    arrived.wait();
    mutex.unlock();
    EXPECT_FALSE(mutex.trylock());  // the waiter owns the lock, although it has not run yet
    ended.wait();
    EXPECT_TRUE(mutex.is_unlocked());
  });
}

TEST(Mutex, MayBeUnlockedByAnotherTask) {
  run_tasks([] {
    Mutex mutex;
    mutex.lock();
    spawn([&mutex] { mutex.unlock(); });
    mutex.lock();
    EXPECT_FALSE(mutex.is_unlocked());
    mutex.unlock();
  });
}

TEST(Mutex, NoNewTaskLocksBeforeTheWokenTask) {
  std::vector<int> order;
  run_tasks([&order] {
    Mutex mutex;
    mutex.lock();
    for (int id = 0; id < 2; ++id) {
      spawn([&, id] {
        mutex.lock();
        order.push_back(id);
        mutex.unlock();
      });
    }
    settle();
    mutex.unlock();
    mutex.lock();  // this lock is before either of the two tasks runs again
    order.push_back(2);
    mutex.unlock();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(Mutex, HasTheAliasesAcquireAndRelease) {
  Mutex mutex;
  mutex.acquire();
  EXPECT_FALSE(mutex.trylock());
  mutex.release();
  EXPECT_TRUE(mutex.is_unlocked());
}

TEST(Mutex, FitsTheBlocksOfTheGlobalHeap) { EXPECT_EQ(sizeof(Mutex), 16u); }

TEST(Mutex, FreeFunctionsTakeReferencesAndPointers) {
  Mutex mutex;
  acquire(mutex);
  EXPECT_FALSE(is_unlocked(mutex));
  release(&mutex);
  acquire(&mutex);
  EXPECT_FALSE(is_unlocked(mutex));
  release(mutex);
  lock(mutex);
  EXPECT_FALSE(is_unlocked(mutex));
  EXPECT_FALSE(trylock(mutex));
  unlock(mutex);
  lock(&mutex);
  EXPECT_FALSE(is_unlocked(&mutex));
  EXPECT_FALSE(trylock(&mutex));
  unlock(&mutex);
  EXPECT_TRUE(trylock(mutex));
  unlock(mutex);
  EXPECT_TRUE(trylock(&mutex));
  unlock(&mutex);
  EXPECT_TRUE(is_unlocked(mutex));
  EXPECT_TRUE(is_unlocked(&mutex));
}

TEST(Mutex, MayBeHeldAtTheEndOfTheJob) {
  Mutex mutex;
  run_tasks([&mutex] { mutex.lock(); });
}

TEST(MutexDeathTest, RejectsTheUnlockOfAFreeMutex) {
  EXPECT_DEATH(
      {
        Mutex mutex;
        mutex.unlock();
      },
      "unlock of a free mutex");
}

TEST(MutexDeathTest, MustNotBeDestroyedWhileHeld) {
  EXPECT_DEBUG_DEATH(run_tasks([] {
                       Mutex mutex;
                       mutex.lock();
                     }),
                     "destroyed while held");
}

}}  // namespace Grappa
