#include "system/observe/counters.hpp"
#include "tests/harness/repetitions.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t ended = 0;  // each core has its own instance

int64_t ended_everywhere() {
  return sum_all_cores([] { return ended; });
}

void reset() {
  on_all_cores([] { ended = 0; });
}

TEST(Finish, ReturnsAtOnceIfNothingWasStarted) {
  finish([] {});
}

TEST(Finish, WaitsForTasksOfItsCore) {
  reset();
  finish([] {
    for (int k = 0; k < 1000; ++k) {
      spawn([] {
        yield();
        ++ended;
      });
    }
  });
  EXPECT_EQ(1000, ended);
}

TEST(Finish, WaitsForTasksOfTasks) {
  reset();
  finish([] {
    spawn([] {
      spawn([] {
        yield();
        spawn([] {
          yield();
          ++ended;
        });
      });
    });
  });
  EXPECT_EQ(1, ended);
}

TEST(Finish, NestsInTasksInLoopsInFinish) {
  reset();
  finish([] {
    forall(0, 40, [](int64_t) {
      int64_t inner = 0;
      finish([&inner] {
        for (int k = 0; k < 10; ++k) {
          spawn([&inner] {
            finish([&inner] {
              spawn([&inner] {
                yield();
                ++inner;
              });
            });
          });
        }
      });
      EXPECT_EQ(10, inner);
      ++ended;
    });
  });
  EXPECT_EQ(40, ended_everywhere());
}

TEST(Finish, OfAnInnerScopeDoesNotWaitForTheOuterOne) {
  CompletionEvent open(1);
  finish([&open] {
    spawn([&open] { open.wait(); });
    finish([] { spawn([] { yield(); }); });  // would not end if it waited for the task above
    open.complete();
  });
}

/// Runs a random tree of work. The parts of the tree move to other cores in all possible ways.
void wander(uint64_t seed, int depth) {
  std::minstd_rand random(static_cast<unsigned>(seed * 2654435761u + 1));
  const int children = depth == 0 ? 0 : 1 + static_cast<int>(random() % 3);
  for (int k = 0; k < children; ++k) {
    const uint64_t its_seed = seed * 4 + static_cast<uint64_t>(k) + 1;
    const Core dest = static_cast<Core>(random() % static_cast<unsigned>(cores()));
    switch (random() % 5) {
      case 0: spawn([=] { wander(its_seed, depth - 1); }); break;
      case 1: delegate::call<async>(dest, [=] { wander(its_seed, depth - 1); }); break;
      case 2: delegate::call(dest, [=] { wander(its_seed, depth - 1); }); break;
      case 3:
        delegate::call<async>(dest, [=] {
          yield();
          spawn([=] { wander(its_seed, depth - 1); });
        });
        break;
      case 4: finish([=] { spawn([=] { wander(its_seed, depth - 1); }); }); break;
    }
  }
  if (random() % 2 == 0) yield();
  ++ended;
}

/// Counts the nodes of the same tree serially.
int64_t count(uint64_t seed, int depth) {
  std::minstd_rand random(static_cast<unsigned>(seed * 2654435761u + 1));
  const int children = depth == 0 ? 0 : 1 + static_cast<int>(random() % 3);
  int64_t nodes = 1;
  for (int k = 0; k < children; ++k) {
    random();
    random();
    nodes += count(seed * 4 + static_cast<uint64_t>(k) + 1, depth - 1);
  }
  return nodes;
}

TEST(Finish, WaitsForWorkThatWandersOverTheCores) {
  const uint64_t seeds = static_cast<uint64_t>(repetitions(30, 8));
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    reset();
    finish([seed] { wander(seed, 8); });
    ASSERT_EQ(count(seed, 8), ended_everywhere());
  }
}

TEST(Finish, OfAllCoresAtOnceEndsEachWithItsOwnWork) {
  reset();
  on_all_cores([] {
    for (uint64_t k = 0; k < 10; ++k) {
      const uint64_t seed = 100 + k + static_cast<uint64_t>(mycore());
      forall_here(0, 4, [seed](int64_t i) { finish([=] { wander(seed + uint64_t(i), 5); }); });
    }
  });
  int64_t nodes = 0;
  for (int core = 0; core < cores(); ++core) {
    for (uint64_t k = 0; k < 10; ++k) {
      for (uint64_t i = 0; i < 4; ++i) nodes += count(100 + k + uint64_t(core) + i, 5);
    }
  }
  EXPECT_EQ(nodes, ended_everywhere());
}

TEST(Finish, AcknowledgesRunsNotMessages) {
  const Core last = static_cast<Core>(cores() - 1);
  const auto completions = [] {
    for (Counter* c = Counter::first(); c != nullptr; c = c->next()) {
      if (std::string(c->name()) == "scope.completion_messages") return c->value();
    }
    return ~uint64_t{0};
  };
  const uint64_t before = delegate::call(last, completions);
  finish([last] {
    for (int k = 0; k < 100000; ++k) delegate::call<async>(last, [] { ++ended; });
  });
  EXPECT_LE(delegate::call(last, completions) - before, 2000u);
}

}  // namespace
