/// Reference section "Tasks": each function that starts a task.

#include "tests/conformance/samples.hpp"

#include <gtest/gtest.h>
#include <vector>

using namespace conformance;

namespace {

GlobalCompletionEvent event;

int64_t count;  // on each core

void count_one() { ++count; }

struct CountMore {
  int64_t more;
  void operator()() const { count += more; }
};

void clear() {
  on_all_cores([] { count = 0; });
}
int64_t counted_everywhere() {
  return sum_all_cores([] { return count; });
}

TEST(Tasks, Spawn) {
  on_all_cores([] {
    std::vector<int64_t> order;
    int64_t ended = 0;
    finish([&order, &ended] {
      for (int64_t k = 0; k < 5; ++k) {
        spawn([&order, &ended, k] {
          order.push_back(k);
          yield();
          ++ended;
        });
      }
      EXPECT_TRUE(order.empty()) << "a task starts when its creator suspends";
    });
    EXPECT_EQ((std::vector<int64_t>{0, 1, 2, 3, 4}), order);
    EXPECT_EQ(5, ended);
  });
}

TEST(Tasks, SpawnFunctionsAndObjects) {
  clear();
  on_all_cores([] {
    finish([] {
      spawn(count_one);
      spawn(&count_one);
      spawn(CountMore{10});
      const CountMore many = {100};
      spawn(many);
    });
    EXPECT_EQ(112, count);
  });
}

TEST(Tasks, SpawnUnbound) {
  clear();
  const GlobalAddress<int64_t> ran = make_global(&count, last_core());
  on_all_cores([ran] {
    for (int64_t k = 1; k <= 20; ++k) {
      spawn<unbound>([ran, k] {
        delegate::increment(ran, k);
        spawn<unbound>([ran] { delegate::increment(ran, 1000); });
      });
    }
  });
  EXPECT_EQ(cores() * (210 + 20 * 1000), delegate::read(ran));
}

TEST(Tasks, TaskModes) {
  EXPECT_TRUE(unbound == TaskMode::Unbound);
  EXPECT_TRUE(bound == TaskMode::Bound);
  clear();
  on_all_cores([] {
    const Core home = mycore();
    for (int k = 0; k < 10; ++k) {
      spawn<TaskMode::Bound>([home] {
        yield();
        EXPECT_EQ(home, mycore());
        ++count;
      });
      spawn<TaskMode::Unbound>([] { ++count; });
      spawn<bound>(count_one);
    }
  });
  EXPECT_EQ(30 * cores(), counted_everywhere());
}

TEST(Tasks, SpawnWithCompletionEvent) {
  on_all_cores([] {
    CompletionEvent first, second(1);
    int64_t early = 0, late = 0;
    for (int k = 0; k < 7; ++k) {
      spawn(&first, [&early] {
        yield();
        delegate::call(next_core(), [] { yield(); });
        ++early;
      });
      spawn(&second, [&late] { ++late; });
    }
    first.wait();
    EXPECT_EQ(7, early);
    second.complete();
    second.wait();
    EXPECT_EQ(7, late);
    first.wait();  // returns immediately, because all tasks have ended
  });
}

TEST(Tasks, SpawnUnboundWithCompletionEvent) {
  clear();
  const GlobalAddress<int64_t> ran = make_global(&count, last_core());
  on_all_cores([ran] {
    CompletionEvent ended;
    const int64_t mark = int64_t{1} << (10 * mycore());
    for (int k = 0; k < 50; ++k) {
      spawn<unbound>(&ended, [ran, mark] { delegate::increment(ran, mark); });
    }
    ended.wait();
    EXPECT_EQ(0, ended.get_count());
    EXPECT_EQ(50, delegate::read(ran) / mark % 1024) << "all tasks of this core have ended";
    int64_t here = 0;
    spawn<bound>(&ended, [&here] { ++here; });
    ended.wait();
    EXPECT_EQ(1, here);
  });
}

/// Waits for the event and expects that `count` is `n` on this core.
void wait_and_expect(int64_t n) {
  event.wait();
  EXPECT_EQ(n, count);
}

TEST(Tasks, SpawnInGlobalEvent) {
  clear();
  on_all_cores([] {
    for (int k = 0; k < 10; ++k) {
      spawn<&event>([] {
        yield();
        delegate::call(next_core(), [] { yield(); });
        ++count;
        spawn(count_one);  // also belongs to the event
      });
    }
    wait_and_expect(20);
  });
}

TEST(Tasks, SpawnUnboundInGlobalEvent) {
  clear();
  on_all_cores([] {
    const GlobalAddress<int64_t> mine = make_global(&count);
    for (int k = 0; k < 10; ++k) {
      spawn<unbound, &event>([mine] {
        yield();
        delegate::increment(mine, 1);
      });
      spawn<bound, &event>([] { count += 100; });
    }
    wait_and_expect(1010);
  });
}

TEST(Tasks, SpawnRemote) {
  clear();
  on_all_cores([] {
    finish([] {
      for (const Core core : some_cores()) {
        const Triple payload = sample<Triple>(core + 3);
        spawnRemote(core, [core, payload] {
          EXPECT_EQ(core, mycore());
          EXPECT_EQ(sample<Triple>(core + 3), payload);
          yield();
          delegate::call(next_core(), [] { yield(); });
          ++count;
        });
      }
    });
  });
  EXPECT_EQ(3 * cores(), counted_everywhere());
}

TEST(Tasks, SpawnRemoteInGlobalEvent) {
  clear();
  on_all_cores([] {
    const GlobalAddress<int64_t> mine = make_global(&count);
    for (const Core core : some_cores()) {
      spawnRemote<&event>(core, [core, mine] {
        yield();
        EXPECT_EQ(core, mycore());
        delegate::increment(mine, 1);
        spawnRemote<&event>(next_core(), [mine] { delegate::increment(mine, 10); });
      });
    }
    wait_and_expect(33);
  });
}

/// Starts a tree of tasks, some of which are stolen. Only the enclosing scope waits for them.
void climb(int64_t depth) {
  ++count;
  if (depth == 0) return;
  spawn<unbound>([depth] { climb(depth - 1); });
  spawnRemote(next_core(), [depth] { climb(depth - 1); });
}

TEST(Tasks, RecursionOverCores) {
  clear();
  finish([] { spawn([] { climb(9); }); });
  EXPECT_EQ((1 << 10) - 1, counted_everywhere());
}

}  // namespace
