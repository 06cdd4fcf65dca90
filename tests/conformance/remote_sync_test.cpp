/// Reference section "Synchronisation": operations by GlobalAddress, from each core on each core.

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

// Each core has its own instances.
Mutex mutex;
ConditionVariable condition;
Semaphore semaphore;
int64_t inside = 0;
int64_t total = 0;

/// A value of 24 bytes.
struct Triple {
  int64_t a, b, c;
  bool operator==(const Triple& other) const {
    return a == other.a && b == other.b && c == other.c;
  }
};
FullEmpty<int64_t> cell;
FullEmpty<Triple> triple;

/// Calls body(owner) for all pairs of a calling core and an owner, one call at a time.
template <class F>
void for_each_pair(F body) {
  for (Core from = 0; from < cores(); ++from) {
    finish([=] {
      spawnRemote(from, [body] {
        for (Core owner = 0; owner < cores(); ++owner) body(owner);
      });
    });
  }
}

/// Runs body() concurrently in two tasks of each core.
template <class F>
void on_all_at_once(F body) {
  on_all_cores([body] {
    spawn(body);
    spawn(body);
  });
}

TEST(RemoteMutex, LockUnlockTrylockIsUnlocked) {
  for_each_pair([](Core owner) {
    const auto there = make_global(&mutex, owner);
    EXPECT_TRUE(is_unlocked(there));
    lock(there);
    EXPECT_FALSE(is_unlocked(there));
    EXPECT_FALSE(trylock(there));
    EXPECT_FALSE(delegate::call(owner, [] { return mutex.is_unlocked(); }));
    unlock(there);
    EXPECT_TRUE(trylock(there));
    unlock(there);
    EXPECT_TRUE(delegate::call(owner, [] { return mutex.is_unlocked(); }));
  });
}

TEST(RemoteMutex, AcquireRelease) {
  for_each_pair([](Core owner) {
    acquire(make_global(&mutex, owner));
    EXPECT_FALSE(is_unlocked(make_global(&mutex, owner)));
    release(make_global(&mutex, owner));
    EXPECT_TRUE(is_unlocked(make_global(&mutex, owner)));
  });
}

TEST(RemoteMutex, Excludes) {
  for (Core owner = 0; owner < cores(); ++owner) {
    const auto there = make_global(&mutex, owner);
    const auto count = make_global(&total, owner);
    delegate::write(count, 0);
    on_all_at_once([there, count] {
      for (int k = 0; k < 5; ++k) {
        lock(there);
        const int64_t before = delegate::read(count);
        yield();
        delegate::write(count, before + 1);
        unlock(there);
      }
    });
    EXPECT_EQ(10 * cores(), delegate::read(count));
  }
}

TEST(RemoteConditionVariable, WaitWithMutexAndBroadcast) {
  for (Core owner = 0; owner < cores(); ++owner) {
    for (const bool by_signal_all : {false, true}) {
      const auto lock_there = make_global(&mutex, owner);
      const auto changed = make_global(&condition, owner);
      const auto turn = make_global(&total, owner);
      delegate::write(turn, 0);
      on_all_cores([=] {
        // The turns go from the last core down to the first core.
        const int64_t mine = cores() - 1 - mycore();
        lock(lock_there);
        while (delegate::read(turn) != mine) wait(changed, lock_there);
        delegate::increment(turn, 1);
        by_signal_all ? signal_all(changed) : broadcast(changed);
        unlock(lock_there);
      });
      EXPECT_EQ(cores(), delegate::read(turn));
      EXPECT_TRUE(is_unlocked(lock_there));
    }
  }
}

TEST(RemoteConditionVariable, WaitAndSignal) {
  for (Core owner = 0; owner < cores(); ++owner) {
    const auto there = make_global(&condition, owner);
    const auto woken = make_global(&total, 0);
    total = 0;
    finish([=] {
      for (Core core = 0; core < cores(); ++core) {
        spawnRemote(core, [=] {
          wait(there);
          delegate::increment(woken, 1);
        });
      }
      while (total < cores()) {  // a signal is lost if no task waits
        signal(there);
        yield();
      }
    });
    EXPECT_EQ(cores(), total);
  }
}

TEST(RemoteSemaphore, IncrementDecrementTryDecrementGetValue) {
  for_each_pair([](Core owner) {
    const auto there = make_global(&semaphore, owner);
    EXPECT_EQ(0, get_value(there));
    increment(there);
    increment(there, 6);
    EXPECT_EQ(7, get_value(there));
    EXPECT_FALSE(try_decrement(there, 8));
    EXPECT_TRUE(try_decrement(there));
    EXPECT_TRUE(try_decrement(there, 2));
    decrement(there);
    decrement(there, 3);
    EXPECT_EQ(0, delegate::call(owner, [] { return semaphore.get_value(); }));
  });
}

TEST(RemoteSemaphore, Waits) {
  for (Core owner = 0; owner < cores(); ++owner) {
    const auto there = make_global(&semaphore, owner);
    finish([there] {
      for (Core core = 0; core < cores(); ++core) {
        spawnRemote(core, [there] {
          decrement(there, 3);
          increment(there, 2);
        });
      }
      for (int64_t k = 0; k < 2 + cores(); ++k) increment(there);
    });
    EXPECT_EQ(2, get_value(there));
    decrement(there, 2);
  }
}

TEST(RemoteSemaphore, LimitsTheConcurrency) {
  const auto there = make_global(&semaphore, static_cast<Core>(cores() - 1));
  const auto count = make_global(&inside, 0);
  increment(there, 2);
  on_all_at_once([=] {
    for (int k = 0; k < 5; ++k) {
      decrement(there);
      EXPECT_GT(2, delegate::fetch_and_add(count, 1));
      yield();
      delegate::increment(count, -1);
      increment(there);
    }
  });
  decrement(there, 2);
}

TEST(RemoteFullEmpty, ReadsAndWrites) {
  for_each_pair([](Core owner) {
    const auto there = make_global(&cell, owner);
    EXPECT_TRUE(empty(there));
    writeEF(there, 1);
    EXPECT_TRUE(full(there));
    EXPECT_EQ(1, readFF(there));
    writeFF(there, 2);
    EXPECT_EQ(2, readFE(there));
    EXPECT_TRUE(empty(there));
    EXPECT_EQ(2, readXX(there));
    writeXF(there, 3);
    writeXF(there, 4);
    EXPECT_FALSE(empty(there));
    EXPECT_EQ(4, delegate::call(owner, [] { return cell.readXX(); }));
    reset(there);
    EXPECT_FALSE(full(there));
  });
}

TEST(RemoteFullEmpty, HoldsAStruct) {
  for_each_pair([](Core owner) {
    const auto there = make_global(&triple, owner);
    const Triple sent = {owner + 1, owner + 2, owner + 3};
    writeEF(there, sent);
    EXPECT_EQ(sent, readFF(there));
    writeFF(there, Triple{-1, -2, -3});
    EXPECT_EQ((Triple{-1, -2, -3}), readFE(there));
    writeXF(there, sent);
    EXPECT_EQ(sent, readXX(there));
    reset(there);
  });
}

TEST(RemoteFullEmpty, FillRemote) {
  for_each_pair([](Core owner) {
    const auto there = make_global(&cell, owner);
    finish([there] { fill_remote(there, 5); });
    EXPECT_TRUE(full(there));
    EXPECT_EQ(5, readFE(there));
    fill_remote(there, 6);
    EXPECT_EQ(6, readFE(there)) << "readFE waits for the fill";
    fill_remote(make_global(&triple, owner), Triple{7, 8, 9});
    EXPECT_EQ((Triple{7, 8, 9}), readFE(make_global(&triple, owner)));
  });
}

TEST(RemoteFullEmpty, FillRemoteWakesAWaitingTask) {
  // Old programs implement a delegate like this: an answer message fills a local cell.
  for (Core owner = 0; owner < cores(); ++owner) {
    FullEmpty<int64_t> answer;
    const auto here = make_global(&answer);
    send_message(owner, [here] { fill_remote(here, 100 + mycore()); });
    EXPECT_EQ(100 + owner, answer.readFF());
  }
}

TEST(RemoteFullEmpty, WaitsForTheRequestedState) {
  for (Core owner = 0; owner < cores(); ++owner) {
    const auto channel = make_global(&cell, owner);
    const auto received = make_global(&total, 0);
    total = 0;
    on_all_cores([=] {
      spawn([=] {
        for (int64_t k = 0; k < 10; ++k) writeEF(channel, 10 * mycore() + k);
      });
      spawn([=] {
        for (int64_t k = 0; k < 10; ++k) delegate::increment(received, readFE(channel));
      });
    });
    const int64_t n = 10 * cores();
    EXPECT_EQ(n * (n - 1) / 2, total) << "each value was received once";
    EXPECT_TRUE(empty(channel));
  }
}

TEST(RemoteFullEmpty, WakesReadersOfAllCores) {
  for (Core owner = 0; owner < cores(); ++owner) {
    const auto there = make_global(&cell, owner);
    on_all_cores([=] {
      spawn([there] { EXPECT_EQ(11, readFF(there)); });
      spawn([there] { EXPECT_EQ(11, readFF(there)); });
      if (mycore() == cores() - 1) writeXF(there, 11);
    });
    reset(there);
  }
}

}  // namespace
