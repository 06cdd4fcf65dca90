#include "system/parallel/steal.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {
namespace {

// What this core has run; on core 0 what all have.
int64_t ran_here = 0;
int64_t sum_here = 0;

void reset() {
  on_all_cores([] { ran_here = sum_here = 0; });
}

int64_t ran_in_all() {
  int64_t ran = 0;
  for (Core core = 0; core < cores(); ++core) {
    ran += delegate::call(core, [] { return ran_here; });
  }
  return ran;
}

int64_t sum_of_all() {
  int64_t sum = 0;
  for (Core core = 0; core < cores(); ++core) {
    sum += delegate::call(core, [] { return sum_here; });
  }
  return sum;
}

TEST(Steal, EachTaskRunsOnceWhereverThatIs) {
  const int64_t kTasks = 20000;
  reset();
  finish([] {
    for (int64_t k = 0; k < kTasks; ++k) {
      spawn<unbound>([k] {
        ++ran_here;
        sum_here += k;
        if (k % 7 == 0) yield();
      });
    }
  });
  EXPECT_EQ(ran_in_all(), kTasks);
  EXPECT_EQ(sum_of_all(), kTasks * (kTasks - 1) / 2);
}

bool other_core_has_run = false;

TEST(Steal, IdleCoresTakeTasks) {
  if (cores() == 1) return;
  other_core_has_run = false;
  const Core home = mycore();
  finish([home] {
    for (int k = 0; k < 100; ++k) {
      spawn<unbound>([home] {
        if (mycore() == home) {
          while (!other_core_has_run) yield();  // for ever, if nobody took one
        } else {
          delegate::call(home, [] { other_core_has_run = true; });
        }
      });
    }
  });
  EXPECT_TRUE(other_core_has_run);
}

/// A binary tree of so many levels, a task for each node; tasks start tasks wherever they are.
void grow(int levels) {
  ++ran_here;
  if (levels == 0) return;
  spawn<unbound>([levels] { grow(levels - 1); });
  spawn<unbound>([levels] { grow(levels - 1); });
}

TEST(Steal, ScopesWaitForTasksThatHaveMovedAndForTheirTasks) {
  for (int turn = 0; turn < 20; ++turn) {
    reset();
    finish([] { grow(9); });
    EXPECT_EQ(ran_in_all(), (1 << 10) - 1);
  }
}

TEST(Steal, NestedScopesEndEachWithItsOwn) {
  reset();
  finish([] {
    for (int outer = 0; outer < 20; ++outer) {
      spawn<unbound>([] {
        finish([] { grow(4); });
        ++ran_here;
      });
    }
  });
  EXPECT_EQ(ran_in_all(), 20 * 31 + 20);
}

template <size_t kBytes>
struct Large {
  unsigned char bytes[kBytes];
  void operator()() {
    for (unsigned char byte : bytes) sum_here += byte;
    ++ran_here;
    yield();
  }
};

template <size_t kBytes>
void spawn_large(int count) {
  Large<kBytes> body;
  for (unsigned char& byte : body.bytes) byte = 3;
  for (int k = 0; k < count; ++k) spawn<unbound>(body);
}

TEST(Steal, LargeClosuresMoveWhole) {
  reset();
  finish([] {
    spawn_large<49>(1000);
    spawn_large<1000>(1000);
    spawn_large<kMaxClosureBytes>(100);
  });
  EXPECT_EQ(ran_in_all(), 2100);
  EXPECT_EQ(sum_of_all(), 3 * (49 * 1000 + 1000 * 1000 + 100 * int64_t{kMaxClosureBytes}));
}

TEST(Steal, BoundTasksStay) {
  static int64_t elsewhere;
  const Core home = mycore();
  on_all_cores([] { elsewhere = 0; });
  finish([home] {
    for (int k = 0; k < 2000; ++k) {
      spawn<bound>([home] {
        if (mycore() != home) ++elsewhere;
        yield();
      });
    }
  });
  for (Core core = 0; core < cores(); ++core) {
    EXPECT_EQ(delegate::call(core, [] { return elsewhere; }), 0);
  }
}

TEST(Steal, AnEventWaitsForTasksWhereverTheyEnd) {
  reset();
  CompletionEvent event;
  for (int k = 0; k < 1000; ++k) {
    spawn<unbound>(&event, [] {
      ++ran_here;
      yield();
    });
  }
  event.wait();
  EXPECT_EQ(event.get_count(), 0);
  EXPECT_EQ(ran_in_all(), 1000);
}

TEST(Steal, TasksMayBlockOnOtherCores) {
  static int64_t counter;
  on_all_cores([] { counter = 0; });
  finish([] {
    for (int k = 0; k < 2000; ++k) {
      spawn<unbound>([k] { delegate::call(static_cast<Core>(k % cores()), [] { ++counter; }); });
    }
  });
  int64_t all = 0;
  for (Core core = 0; core < cores(); ++core) all += delegate::call(core, [] { return counter; });
  EXPECT_EQ(all, 2000);
}

TEST(Steal, RunsItsOwnNewestFirst) {
  if (cores() > 1) return;  // others would take some
  static std::vector<int> order;
  order.clear();
  finish([] {
    for (int k = 0; k < 5; ++k) spawn<unbound>([k] { order.push_back(k); });
  });
  EXPECT_EQ(order, (std::vector<int>{4, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace Grappa
