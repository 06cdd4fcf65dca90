/// Reference section "Completion": scopes, and events of one core, which any core can complete.

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

CompletionEvent event;  // on each core
int64_t ended = 0;      // on each core
GlobalCompletionEvent gce, other_gce;

int64_t ended_on_all() {
  return sum_all_cores([] { return ended; });
}
void begin() {
  on_all_cores([] { ended = 0; });
}

/// Suspends several times, so other tasks run in between.
void work() {
  yield();
  yield();
  ++ended;
}

TEST(CompletionEvent, Constructor) {
  CompletionEvent none;
  EXPECT_EQ(0, none.get_count());
  none.wait();

  CompletionEvent three(3);
  int64_t done = 0;
  for (int k = 0; k < 3; ++k) {
    spawn([&] {
      yield();
      ++done;
      three.complete();
    });
  }
  three.wait();
  EXPECT_EQ(3, done);
}

TEST(CompletionEvent, Enroll) {
  CompletionEvent here;
  here.enroll();
  here.enroll(5);
  here.enroll(0);
  EXPECT_EQ(6, here.get_count());
  here.complete(6);
  here.wait();
}

TEST(CompletionEvent, Complete) {
  CompletionEvent here(4);
  bool waits = false, woken = false;
  spawn([&] {
    waits = true;
    here.wait();
    woken = true;
  });
  while (!waits) yield();
  here.complete();
  here.complete(2);
  here.complete(0);
  yield();
  EXPECT_FALSE(woken) << "one completion is missing";
  here.complete();
  while (!woken) yield();
  EXPECT_EQ(0, here.get_count());
}

TEST(CompletionEvent, Wait) {
  CompletionEvent here(1), all_woken(20);
  int64_t waiting = 0;
  for (int k = 0; k < 20; ++k) {
    spawn([&] {
      ++waiting;
      here.wait();
      all_woken.complete();
    });
  }
  while (waiting < 20) yield();
  EXPECT_EQ(20, all_woken.get_count());
  here.complete();
  all_woken.wait();
  here.enroll();  // the event is reusable
  spawn([&here] { here.complete(); });
  here.wait();
}

TEST(CompletionEvent, GetCount) {
  CompletionEvent here(7);
  EXPECT_EQ(7, here.get_count());
  here.complete(2);
  EXPECT_EQ(5, here.get_count());
  here.reset();
}

TEST(CompletionEvent, Reset) {
  CompletionEvent here(100), woken(1);
  bool waits = false;
  spawn([&] {
    waits = true;
    here.wait();
    woken.complete();
  });
  while (!waits) yield();
  here.reset();
  EXPECT_EQ(0, here.get_count());
  woken.wait();
}

TEST(CompletionEvent, SpawnedTasksAreJoined) {
  CompletionEvent here;
  int64_t done = 0;
  for (int k = 0; k < 10; ++k) {
    spawn(&here, [&done] {
      yield();
      ++done;
    });
  }
  here.wait();
  EXPECT_EQ(10, done);
}

TEST(CompletionEvent, FunctionsOnPointersAndReferences) {
  CompletionEvent here;
  enroll(&here);
  enroll(here, 3);
  EXPECT_EQ(4, get_count(&here));
  complete(&here);
  complete(here);
  complete(&here, 2);
  EXPECT_EQ(0, get_count(here));
  wait(&here);
  wait(here);
  enroll(here, 9);
  reset(&here);
  reset(here);
  EXPECT_EQ(0, here.get_count());
}

TEST(CompletionEvent, CompleteByGlobalAddress) {
  for (Core target = 0; target < cores(); ++target) {
    const auto there = make_global(&event, target);
    delegate::call(target, [] { event.enroll(6 * cores()); });
    on_all_cores([there] {
      complete(there);
      complete(there, 5);
    });
    delegate::call(target, [] { event.wait(); });
    EXPECT_EQ(0, delegate::call(target, [] { return event.get_count(); }));
  }
}

TEST(CompletionEvent, EnrollByGlobalAddress) {
  for (Core target = 0; target < cores(); ++target) {
    const auto there = make_global(&event, target);
    on_all_cores([there] {
      enroll(there);
      enroll(there, 2);
    });
    const int64_t enrolled = delegate::call(target, [] { return event.get_count(); });
    EXPECT_EQ(3 * cores(), enrolled);
    EXPECT_EQ(enrolled, get_count(there));
    complete(there, enrolled - 1);
    complete(there);
    wait(there);
    enroll(there, 2);
    reset(there);
    EXPECT_EQ(0, get_count(there));
  }
}

TEST(CompletionEvent, IsCompletedByTasksOfAllCores) {
  CompletionEvent here(10 * cores());
  const auto joiner = make_global(&here);
  begin();
  for (Core core = 0; core < cores(); ++core) {
    for (int k = 0; k < 10; ++k) {
      spawnRemote(core, [joiner] {
        work();
        complete(joiner);
      });
    }
  }
  here.wait();
  EXPECT_EQ(10 * cores(), ended_on_all());
}

TEST(Finish, WaitsForTasksDelegatesAndLoops) {
  begin();
  auto words = global_alloc<int64_t>(100);
  Grappa::memset(words, 0, 100);
  finish([words] {
    spawn([] { work(); });
    spawn<unbound>([] { work(); });
    for (Core core = 0; core < cores(); ++core) {
      spawnRemote(core, [] {
        spawn([] { work(); });  // a task of a task
        work();
      });
      delegate::call<async>(core, [] { ++ended; });
    }
    for (int64_t i = 0; i < 100; ++i) delegate::increment<async>(words + i, i);
    forall<async>(0, 50, [](int64_t) { work(); });
    forall_here<async>(0, 50, [](int64_t) { work(); });
  });
  EXPECT_EQ(2 + 3 * cores() + 100, ended_on_all());
  for (int64_t i = 0; i < 100; i += 9) EXPECT_EQ(i, delegate::read(words + i));
  global_free(words);
}

TEST(Finish, EmptyScopes) {
  finish([] {});
  finish<&gce>([] {});
  int64_t runs = 0;
  finish([&runs] { ++runs; });
  finish<&gce>([&runs] { ++runs; });
  EXPECT_EQ(2, runs) << "the body itself runs once, in the calling task";
}

TEST(Finish, NestsInTasksInsideLoopsInsideFinish) {
  begin();
  finish([] {
    forall<async>(0, 12, [](int64_t) {
      spawn([] {
        const int64_t inner = 8;
        int64_t done = 0;
        const auto count = make_global(&done);
        finish([count] {
          for (int64_t k = 0; k < inner; ++k) {
            spawnRemote(static_cast<Core>(k % cores()), [count] {
              finish([] { spawn([] { work(); }); });
              delegate::increment<async>(count, 1);
            });
          }
        });
        EXPECT_EQ(inner, done) << "the inner scope is complete before its task continues";
      });
    });
  });
  EXPECT_EQ(12 * 8, ended_on_all());
}

TEST(FinishWithEvent, WaitsForTasksDelegatesAndLoops) {
  begin();
  auto words = global_alloc<int64_t>(100);
  Grappa::memset(words, 0, 100);
  for (int round = 0; round < 3; ++round) {
    finish<&gce>([words] {
      spawn([] { work(); });
      spawn<&gce>([] { work(); });
      spawn<unbound, &gce>([] { work(); });
      for (Core core = 0; core < cores(); ++core) {
        spawnRemote<&gce>(core, [] { spawn<&gce>([] { work(); }); });
        delegate::call<async, &gce>(core, [] { ++ended; });
      }
      for (int64_t i = 0; i < 100; ++i) delegate::increment<async, &gce>(words + i, i);
      forall<async, &gce>(0, 50, [](int64_t) { work(); });
      forall_here<unbound, async, &gce>(0, 50, [](int64_t) { work(); });
    });
    EXPECT_EQ((round + 1) * (3 + 2 * cores() + 100), ended_on_all());
  }
  for (int64_t i = 0; i < 100; i += 9) EXPECT_EQ(3 * i, delegate::read(words + i));
  global_free(words);
}

TEST(FinishWithEvent, RunsConcurrentlyInTasksOfAllCores) {
  // All tasks wait for the same event, so each task waits for the work of all tasks.
  begin();
  on_all_cores([] {
    static int64_t mine;
    mine = 0;
    const auto count = make_global(&mine);
    finish<&gce>([count] {
      for (Core core = 0; core < cores(); ++core) {
        spawnRemote(core, [count] {
          work();
          delegate::increment(count, 1);
        });
      }
    });
    EXPECT_EQ(cores(), mine);
  });
  EXPECT_EQ(cores() * cores(), ended_on_all());
}

TEST(FinishWithEvent, NestsWithAnotherEventAndWithScopes) {
  begin();
  finish<&gce>([] {
    spawn([] { work(); });
    finish<&other_gce>([] { forall<async>(0, 20, [](int64_t) { work(); }); });
    EXPECT_LE(20, ended_on_all());
    finish([] { forall<async>(0, 20, [](int64_t) { work(); }); });
    EXPECT_LE(40, ended_on_all());
    forall(0, 20, [](int64_t) { work(); });
    EXPECT_LE(60, ended_on_all());
  });
  EXPECT_EQ(61, ended_on_all());
}

}  // namespace
