/// Reference section "Completion": events of all cores.

#include <Grappa.hpp>
#include <gtest/gtest.h>

Grappa::GlobalCompletionEvent outside;  // outside of a namespace

namespace {

using namespace Grappa;

GlobalCompletionEvent gce, other;
FullEmpty<int64_t> gate;  // on each core
int64_t ended = 0;        // on each core

int64_t ended_on_all() {
  return sum_all_cores([] { return ended; });
}
void begin() {
  on_all_cores([] { ended = 0; });
}
Core last() { return static_cast<Core>(cores() - 1); }

TEST(GlobalCompletionEvent, Enroll) {
  begin();
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [] {
      gce.enroll();
      gce.enroll(2);
      gce.enroll(0);
      EXPECT_LE(3, gce.incomplete());
      for (int k = 0; k < 3; ++k) {
        spawn([] {
          yield();
          ++ended;
          gce.complete();
        });
      }
    });
  }
  gce.wait();
  EXPECT_EQ(3 * cores(), ended_on_all());
}

TEST(GlobalCompletionEvent, Complete) {
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [] { gce.enroll(6); });
    bool waits = false, woken = false;
    CompletionEvent waiter;
    spawn(&waiter, [&] {
      waits = true;
      gce.wait();
      woken = true;
    });
    while (!waits) yield();
    delegate::call(core, [] {
      gce.complete();
      gce.complete(4);
      gce.complete(0);
    });
    yield();
    EXPECT_FALSE(woken) << "one completion is missing on core " << core;
    delegate::call(core, [] { gce.complete(); });
    waiter.wait();
    EXPECT_TRUE(woken);
  }
}

TEST(GlobalCompletionEvent, Wait) {
  gce.wait();  // returns at once: the event has no work
  begin();
  delegate::call(last(), [] { gce.enroll(); });
  finish([] {
    for (Core core = 0; core < cores(); ++core) {
      delegate::call<async>(core, [] {
        for (int k = 0; k < 5; ++k) {
          spawn([] {
            gce.wait();
            ++ended;
          });
        }
      });
    }
    EXPECT_EQ(0, ended_on_all());
    delegate::call(last(), [] { gce.complete(); });
  });
  EXPECT_EQ(5 * cores(), ended_on_all()) << "tasks of every core may wait";
}

TEST(GlobalCompletionEvent, SendCompletion) {
  for (Core target = 0; target < cores(); ++target) {
    delegate::call(target, [] { gce.enroll(3 * cores()); });
    on_all_cores([target] {
      gce.send_completion(target);
      gce.send_completion(target, 2);
    });
    gce.wait();
    EXPECT_EQ(0, delegate::call(target, [] { return gce.incomplete(); }));
  }
}

TEST(GlobalCompletionEvent, Incomplete) {
  // Core 0 counts the cores with work, so the test checks all cores before any core enrolls.
  on_all_cores([] { EXPECT_EQ(0, gce.incomplete()); });
  on_all_cores([] {
    gce.enroll(4);
    EXPECT_LE(4, gce.incomplete());
    gce.complete(3);
    EXPECT_LE(1, gce.incomplete());
    gce.complete();
  });
  gce.wait();
  on_all_cores([] { EXPECT_EQ(0, gce.incomplete()); });
}

TEST(GlobalCompletionEvent, Reset) {
  on_all_cores([] { gce.enroll(10 + mycore()); });
  on_all_cores([] { gce.reset(); });
  gce.wait();
  on_all_cores([] { EXPECT_EQ(0, gce.incomplete()); });
}

TEST(GlobalCompletionEvent, DefaultGce) {
  begin();
  EXPECT_EQ(&default_gce(), &default_gce());
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [] {
      default_gce().enroll();
      spawn([] {
        yield();
        ++ended;
        default_gce().complete();
      });
    });
  }
  default_gce().wait();
  EXPECT_EQ(cores(), ended_on_all());
}

TEST(GlobalCompletionEvent, TasksBelongToTheirEvent) {
  begin();
  spawn<&gce>([] {
    yield();
    ++ended;
    spawn([] { ++ended; });
  });
  spawn<unbound, &gce>([] { ++ended; });
  for (Core core = 0; core < cores(); ++core) {
    spawnRemote<&gce>(core, [] {
      yield();
      ++ended;
    });
  }
  gce.wait();
  EXPECT_EQ(3 + cores(), ended_on_all());
}

TEST(GlobalCompletionEvent, AsyncDelegatesBelongToTheirEvent) {
  begin();
  for (Core core = 0; core < cores(); ++core) {
    const auto count = make_global(&ended, core);
    delegate::call<async, &gce>(core, [] { ++ended; });
    delegate::increment<async, &gce>(count, 10);
    delegate::call<async, &gce>(count, [](int64_t& here) { here += 100; });
  }
  gce.wait();
  on_all_cores([] { EXPECT_EQ(111, ended); });
}

TEST(GlobalCompletionEvent, LoopsBelongToTheirEvent) {
  begin();
  forall<async, &gce>(0, 40, [](int64_t) {
    yield();
    ++ended;
  });
  forall_here<async, &gce>(0, 40, [](int64_t) {
    yield();
    ++ended;
  });
  gce.wait();
  EXPECT_EQ(80, ended_on_all());
  forall<&gce>(0, 40, [](int64_t) {
    spawn([] {
      yield();
      ++ended;
    });
  });
  EXPECT_EQ(120, ended_on_all()) << "a blocking loop waits for the event";
}

TEST(GlobalCompletionEvent, TwoEventsAreIndependent) {
  begin();
  for (Core core = 0; core < cores(); ++core) {
    spawnRemote<&gce>(core, [] { ended += gate.readFE(); });  // waits until the end
  }
  for (int round = 1; round <= 3; ++round) {
    finish<&other>([] {
      forall<async>(0, 30, [](int64_t) {
        yield();
        ++ended;
      });
    });
    EXPECT_EQ(30 * round, ended_on_all()) << "the tasks of the first event still wait";
  }
  for (Core core = 0; core < cores(); ++core) writeEF(make_global(&gate, core), 1000);
  gce.wait();
  EXPECT_EQ(90 + 1000 * cores(), ended_on_all());
}

TEST(GlobalCompletionEvent, TwoEventsInOneTask) {
  begin();
  forall<async, &gce>(0, 30, [](int64_t) {
    forall<async, &other>(0, 2, [](int64_t) {
      yield();
      ++ended;
    });
  });
  gce.wait();  // all loops of the other event have begun
  other.wait();
  EXPECT_EQ(60, ended_on_all());
}

TEST(GlobalCompletionEvent, GlobalEventOutsideOfANamespace) {
  begin();
  finish<&outside>([] { forall<async>(0, 10, [](int64_t) { ++ended; }); });
  EXPECT_EQ(10, ended_on_all());
}

}  // namespace
