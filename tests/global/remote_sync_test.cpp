#include "tests/global/homes.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <gtest/gtest.h>
#include <new>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

// Each core has its own instances. An operation uses the instance of the core in its address.
Mutex mutex;
ConditionVariable condition;
Semaphore semaphore;
CompletionEvent event, arrived, done;
FullEmpty<int64_t> cell, full_cell(4);

int64_t inside = 0;
int64_t most_inside = 0;
int64_t total = 0;

TEST(RemoteMutex, IsTriedLockedAndUnlockedFromAnyCore) {
  for_each_home([](Core home) {
    const auto there = make_global(&mutex, home);
    for (Core core = 0; core < cores(); ++core) {
      EXPECT_TRUE(is_unlocked(there));
      delegate::call(core, [there] { lock(there); });
      EXPECT_FALSE(is_unlocked(there));
      EXPECT_FALSE(trylock(there));
      delegate::call(core, [there] { unlock(there); });
      EXPECT_TRUE(trylock(there));
      EXPECT_FALSE(delegate::call(home, [] { return mutex.is_unlocked(); }));
      unlock(there);
      acquire(there);
      EXPECT_FALSE(delegate::call(home, [] { return mutex.is_unlocked(); }));
      release(there);
    }
  });
}

TEST(RemoteMutex, ExcludesTasksOfAllCoresAcrossSwitches) {
  auto count = global_alloc<int64_t>(1);
  for_each_home([count](Core home) {
    const auto there = make_global(&mutex, home);
    delegate::write(count, 0);
    on_each_core(60, [=](int64_t, Core) {
      lock(there);
      delegate::call(home, [] { EXPECT_EQ(++inside, 1); });
      const int64_t before = delegate::read(count);
      yield();
      delegate::write(count, before + 1);
      delegate::call(home, [] { EXPECT_EQ(--inside, 0); });
      unlock(there);
    });
    EXPECT_EQ(delegate::read(count), 60 * cores());
    EXPECT_TRUE(is_unlocked(there));
  });
  global_free(count);
}

TEST(RemoteMutex, MutexesOfAGlobalArrayAreIndependent) {
  const int64_t n = 50;
  auto locks = global_alloc<Mutex>(n);
  auto counts = global_alloc<int64_t>(n);
  forall(locks, n, [](Mutex& place) { new (&place) Mutex; });
  Grappa::memset(counts, 0, n);
  on_each_core(2 * n, [=](int64_t k, Core) {
    lock(locks + k % n);
    const int64_t before = delegate::read(counts + k % n);
    delegate::write(counts + k % n, before + 1);
    unlock(locks + k % n);
  });
  forall(counts, n, [](int64_t& count) { EXPECT_EQ(count, 2 * cores()); });
  global_free(counts);
  global_free(locks);
}

TEST(RemoteConditionVariable, WaitsWithAMutex) {
  // Task k of core c has turn k * cores() + c, so successive turns belong to successive cores.
  for_each_home([](Core home) {
    const auto lock_there = make_global(&mutex, home);
    const auto turned = make_global(&condition, home);
    const auto turn = make_global(&total, home);
    delegate::write(turn, 0);
    on_each_core(8, [=](int64_t k, Core core) {
      const int64_t mine = k * cores() + core;
      lock(lock_there);
      while (delegate::read(turn) != mine) wait(turned, lock_there);
      delegate::write(turn, mine + 1);
      if (k % 2 == 0) {
        broadcast(turned);
      } else {
        signal_all(turned);
      }
      unlock(lock_there);
    });
    EXPECT_EQ(delegate::read(turn), 8 * cores());
    EXPECT_TRUE(is_unlocked(lock_there));
  });
}

TEST(RemoteConditionVariable, WaitsUntilSignalled) {
  for_each_home([](Core home) {
    const auto there = make_global(&condition, home);
    const auto returned = make_global(&total, 0);
    total = 0;
    finish([=] {
      for (Core core = 0; core < cores(); ++core) {
        delegate::call<async>(core, [=] {
          spawn([=] {
            wait(there);
            delegate::increment(returned, 1);
          });
        });
      }
      while (total < cores()) {
        signal(there);  // has no effect until a task waits
        yield();
      }
    });
  });
}

TEST(RemoteSemaphore, IsUsedFromAnyCore) {
  for_each_home([](Core home) {
    const auto there = make_global(&semaphore, home);
    for (Core core = 0; core < cores(); ++core) {
      delegate::call(core, [there] {
        increment(there);
        increment(there, 10);
        EXPECT_EQ(get_value(there), 11);
        EXPECT_FALSE(try_decrement(there, 12));
        EXPECT_TRUE(try_decrement(there, 2));
        EXPECT_TRUE(try_decrement(there));
        decrement(there);
        decrement(there, 7);
        EXPECT_EQ(get_value(there), 0);
      });
    }
  });
}

TEST(RemoteSemaphore, LimitsTheConcurrencyOfTasksOfAllCores) {
  const int64_t limit = 3;
  for_each_home([limit](Core home) {
    const auto there = make_global(&semaphore, home);
    delegate::call(home, [] { inside = most_inside = 0; });
    increment(there, limit);
    on_each_core(40, [=](int64_t, Core) {
      decrement(there);
      delegate::call(home, [] {
        ++inside;
        most_inside = std::max(most_inside, inside);
      });
      // Each task waits until `limit` tasks are inside at the same time, so the limit is reached.
      while (delegate::call(home, [] { return most_inside; }) < limit) yield();
      delegate::call(home, [] { --inside; });
      increment(there);
    });
    EXPECT_EQ(delegate::call(home, [] { return most_inside; }), limit);
    EXPECT_EQ(get_value(there), limit);
    decrement(there, limit);
  });
}

TEST(RemoteCompletionEvent, IsCompletedFromAnyCore) {
  for_each_home([](Core home) {
    const auto there = make_global(&event, home);
    enroll(there, 50 * cores());
    EXPECT_EQ(get_count(there), 50 * cores());
    for (Core core = 0; core < cores(); ++core) {
      send_message(core, [there] {
        for (int k = 0; k < 10; ++k) {
          spawn([there] {
            yield();
            complete(there, 4);
            complete(there);
          });
        }
      });
    }
    wait(there);
    EXPECT_EQ(get_count(there), 0);
  });
}

TEST(RemoteCompletionEvent, IsOpenWorkOfTheScopeUntilItIsCompleted) {
  CompletionEvent here;
  const auto there = make_global(&here);
  for (int64_t round = 0; round < 20; ++round) {
    here.enroll(100 * cores());
    on_all_cores([there] {
      for (int k = 0; k < 100; ++k) complete(there);
    });
    EXPECT_EQ(here.get_count(), 0);
  }
}

TEST(RemoteCompletionEvent, IsEnrolledBeforeTheCallReturns) {
  CompletionEvent here;
  const auto there = make_global(&here);
  on_each_core(100, [there](int64_t, Core) {
    enroll(there);
    complete(there);  // if this arrived before the enroll, the job would abort
    enroll(there, 2);
    complete(there, 2);
  });
  EXPECT_EQ(here.get_count(), 0);
}

TEST(RemoteCompletionEvent, ReleasesTasksOfAllCores) {
  for_each_home([](Core home) {
    const auto gate = make_global(&event, home);
    const auto arrivals = make_global(&total, 0);
    total = 0;
    for (const bool by_reset : {false, true}) {
      enroll(gate, 2);
      finish([=] {
        for (Core core = 0; core < cores(); ++core) {
          delegate::call<async>(core, [=] {
            for (int k = 0; k < 10; ++k) {
              spawn([=] {
                delegate::increment(arrivals, 1);
                wait(gate);
                EXPECT_EQ(get_count(gate), 0);
              });
            }
          });
        }
        while (total < 10 * cores()) yield();
        if (by_reset) {
          reset(gate);
        } else {
          complete(gate);
          complete(gate);
        }
      });
      total = 0;
    }
  });
}

TEST(RemoteSync, CompleteAndFillRemoteDoNotWaitForTheOwner) {
  static bool others_ran;
  event.enroll();
  cell.reset();
  send_message(last(), [] {
    others_ran = false;
    spawn([] { others_ran = true; });
    complete(make_global(&event, 0));
    fill_remote(make_global(&cell, 0), 1);
    EXPECT_FALSE(others_ran) << "the handler was suspended, because another task ran";
  });
  event.wait();
  EXPECT_EQ(cell.readFE(), 1);
}

TEST(RemoteSync, CompleteAndFillRemoteAreOpenWorkOfTheCallersScope) {
  event.enroll();
  finish([] {
    delegate::call<async>(last(), [] {  // handlers never suspend to wait for a buffer
      const int64_t messages = mycore() == 0 ? 0 : 1;
      const int64_t before = current_scope()->open;
      complete(make_global(&event, 0));
      EXPECT_GE(current_scope()->open, before + messages);
      fill_remote(make_global(&cell, 0), 1);
      EXPECT_GE(current_scope()->open, before + 2 * messages);
    });
  });
  EXPECT_EQ(event.get_count(), 0);
  EXPECT_TRUE(cell.full());
  cell.reset();
}

TEST(RemoteSync, HandlersWaitLikeTasks) {
  // On the last core, one handler waits for each kind of object. Core 0 then completes each wait.
  const auto count_arrival = [] { complete(make_global(&arrived, 0)); };
  const auto count_end = [] { complete(make_global(&done, 0)); };
  const Core home = last();
  const int64_t handlers = 6;
  for (int round = 0; round < 10; ++round) {
    arrived.enroll(handlers);
    done.enroll(handlers);
    lock(make_global(&mutex, home));
    enroll(make_global(&event, home));
    send_message(home, [=] { count_arrival(), mutex.lock(), mutex.unlock(), count_end(); });
    send_message(home, [=] { count_arrival(), event.wait(), count_end(); });
    send_message(home, [=] { count_arrival(), condition.wait(), count_end(); });
    send_message(home, [=] { count_arrival(), semaphore.decrement(2), count_end(); });
    send_message(home, [=] { count_arrival(), full_cell.writeEF(4), count_end(); });
    send_message(home, [=] {
      count_arrival();
      EXPECT_EQ(cell.readFE(), 5);
      count_end();
    });
    arrived.wait();
    EXPECT_EQ(done.get_count(), handlers);
    unlock(make_global(&mutex, home));
    complete(make_global(&event, home));
    signal(make_global(&condition, home));
    increment(make_global(&semaphore, home), 2);
    EXPECT_EQ(readFE(make_global(&full_cell, home)), 4);
    writeEF(make_global(&cell, home), 5);
    done.wait();
    EXPECT_TRUE(is_unlocked(make_global(&mutex, home)));
    EXPECT_TRUE(full(make_global(&full_cell, home)));
  }
}

TEST(RemoteSync, HandlersUseObjectsOfOtherCores) {
  // Each core sends many messages to the next core. The handlers lock, count and unlock on a third
  // core.
  int64_t each = 40;
  done.enroll(each * cores());
  on_all_cores([] { total = 0; });
  on_all_cores([each] {
    const Core next = static_cast<Core>((mycore() + 1) % cores());
    const Core third = static_cast<Core>((mycore() + 2) % cores());
    for (int64_t k = 0; k < each; ++k) {
      send_message(next, [third] {
        lock(make_global(&mutex, third));
        const int64_t before = delegate::read(make_global(&total, third));
        delegate::write(make_global(&total, third), before + 1);
        unlock(make_global(&mutex, third));
        complete(make_global(&done, 0));
      });
    }
  });
  done.wait();
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(delegate::read(make_global(&total, core)), each);
  }
}

}  // namespace
