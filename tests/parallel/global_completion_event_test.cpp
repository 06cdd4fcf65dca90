#include "system/parallel/finish_scope.hpp"

#include "system/parallel/collective_tree.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/repetitions.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

GlobalCompletionEvent event;
GlobalCompletionEvent other_event;
GlobalCompletionEvent round_event;

// The constructor of an event must be constexpr. Otherwise an event could be used before it is
// initialised.
constexpr GlobalCompletionEvent initialised_at_compile_time = {};

int64_t ended = 0;  // each core has its own instance
int64_t started = 0;

void reset() {
  on_all_cores([] { ended = started = 0; });
}
int64_t ended_everywhere() {
  return sum_all_cores([] { return ended; });
}
int64_t started_everywhere() {
  return sum_all_cores([] { return started; });
}
int64_t incomplete_everywhere() {
  return sum_all_cores([] { return event.incomplete() + other_event.incomplete(); });
}

void yield_some(std::minstd_rand* random) {
  for (unsigned turns = (*random)() % 4; turns > 0; --turns) yield();
}

TEST(GlobalCompletionEvent, IsCompleteToBeginWith) {
  EXPECT_EQ(0, initialised_at_compile_time.incomplete());
  on_all_cores([] { event.wait(); });
}

TEST(GlobalCompletionEvent, WakesAllThatWaitOnAllCoresWhenTheLastHasCompleted) {
  reset();
  event.enroll(2);
  finish([] {
    for (Core core = 0; core < cores(); ++core) {
      for (int tasks = 0; tasks < 10; ++tasks) {
        spawnRemote(core, [] {
          ++started;
          event.wait();
          ++ended;
        });
      }
    }
    while (started_everywhere() < 10 * cores()) yield();
    event.complete();
    // If a task had been woken too early, the task would have ended before this call returns.
    on_all_cores([] { delegate::call(0, [] {}); });
    EXPECT_EQ(0, ended_everywhere());
    event.complete();
  });
  EXPECT_EQ(10 * cores(), ended_everywhere());
}

TEST(GlobalCompletionEvent, IsKnownToItsHomeWhenEnrollReturns) {
  on_all_cores([] {
    for (int round = 0; round < 100; ++round) {
      event.enroll(3);
      EXPECT_GT(delegate::call(0, [] { return event.incomplete(); }), 0);
      event.complete(2);
      EXPECT_GT(delegate::call(0, [] { return event.incomplete(); }), 0);
      event.complete();
    }
    event.wait();
  });
  EXPECT_EQ(0, incomplete_everywhere());
}

TEST(GlobalCompletionEvent, OnlyCountsOnACoreThatAlreadyHasWork) {
  on_all_cores([] {
    event.enroll();
    const Gain messages("message.messages");
    for (int times = 0; times < 100; ++times) event.enroll();
    event.complete(50);
    for (int times = 0; times < 50; ++times) event.complete();
    EXPECT_EQ(0u, messages.value());
    event.complete();
    event.wait();
  });
  EXPECT_EQ(0, incomplete_everywhere());
}

TEST(GlobalCompletionEvent, IsKnownToItsHomeOnceIfManyTasksEnrollAtOnce) {
  reset();
  on_all_cores([] {
    forall_here<1>(0, 200, [](int64_t k) {
      event.enroll(k);
      if (k % 3 == 0) yield();
      ++ended;
      event.complete(k);
    });
    event.wait();
  });
  EXPECT_EQ(200 * cores(), ended_everywhere());
  EXPECT_EQ(0, incomplete_everywhere());
}

// Each core enters the tree once: a request, its answer, and later an acknowledgement.
TEST(GlobalCompletionEvent, IsEnteredOnceByEachCoreIfManyTasksEnrollAtOnce) {
  on_all_cores([] {
    barrier();
    const Gain messages("message.messages");
    forall_here<1>(0, 200, [](int64_t) { event.enroll(); });
    EXPECT_LE(messages.value(), 40u);
    barrier();
    event.complete(200);
    event.wait();
  });
  EXPECT_EQ(0, incomplete_everywhere());
}

TEST(GlobalCompletionEvent, IsCompletedFromOtherCoresByTheNumberAskedFor) {
  reset();
  on_all_cores([] {
    event.enroll(6 * cores());
    barrier();
    for (int k = 0; k < cores(); ++k) {
      const Core core = static_cast<Core>((mycore() + k) % cores());
      ++ended;
      event.send_completion(core);
      event.send_completion(core, 5);
    }
    event.wait();
    EXPECT_EQ(0, event.incomplete());
  });
  EXPECT_EQ(cores() * cores(), ended_everywhere());
}

TEST(GlobalCompletionEvent, ExpectsNoCompletionsAfterReset) {
  event.enroll(5);
  spawn([] { event.reset(); });
  event.wait();
  EXPECT_EQ(0, event.incomplete());
  event.enroll();
  event.complete();
  event.wait();
}

TEST(GlobalCompletionEvent, KeepsItsTasksThroughReset) {
  static bool may_end;
  static bool has_ended;
  may_end = has_ended = false;
  spawn<&event>([] {
    while (!may_end) yield();
    has_ended = true;
  });
  event.enroll(5);
  event.reset();
  EXPECT_EQ(1, event.incomplete());
  spawn([] { may_end = true; });
  event.wait();
  EXPECT_TRUE(has_ended);
}

TEST(GlobalCompletionEvent, HasADefault) {
  default_gce().enroll();
  spawn([] { default_gce().complete(); });
  default_gce().wait();
  EXPECT_EQ(0, default_gce().incomplete());
}

TEST(GlobalCompletionEvent, MayLieInSymmetricMemory) {
  const auto events = symmetric<GlobalCompletionEvent>();
  reset();
  on_all_cores([events] {
    events->enroll();
    spawn([events] {
      yield();
      ++ended;
      events->complete();
    });
    barrier();
    events->wait();
  });
  EXPECT_EQ(cores(), ended_everywhere());
  global_free(events);
}

TEST(FinishOfAnEvent, WaitsForAllThatItsBodyStarts) {
  reset();
  finish<&event>([] {
    for (Core core = 0; core < cores(); ++core) {
      delegate::call<async>(core, [] {
        spawn([] {
          yield();
          ++ended;
        });
      });
      spawn<unbound>([] { ++ended; });
      forall<async>(0, 10, [](int64_t) {
        yield();
        ++ended;
      });
    }
  });
  EXPECT_EQ(12 * cores(), ended_everywhere());
  EXPECT_EQ(0, incomplete_everywhere());
}

TEST(FinishOfAnEvent, RestoresTheCallersScope) {
  FinishScope scope;
  finish<&event>([&scope] {
    EXPECT_NE(&scope, current_scope());
    finish<&other_event>([] { EXPECT_NE(nullptr, current_scope()); });
    EXPECT_NE(&scope, current_scope());
  });
  EXPECT_EQ(&scope, current_scope());
  scope.wait();
}

TEST(FinishOfAnEvent, MayBeCalledByManyTasksOfAllCoresAtATime) {
  reset();
  on_all_cores([] {
    forall_here<1>(0, 20, [](int64_t) {
      const int64_t before = ended;
      finish<&event>([] {
        for (Core core = 0; core < cores(); ++core) {
          delegate::call<async>(core, [] { spawn([] { ++ended; }); });
        }
        spawn([] {
          yield();
          ++ended;
        });
      });
      EXPECT_GT(ended, before);
    });
  });
  EXPECT_EQ(20 * cores() * (cores() + 1), ended_everywhere());
  EXPECT_EQ(0, incomplete_everywhere());
}

/// Runs a random tree of work. The parts of the tree belong to the event in all possible ways; some
/// parts temporarily do not belong to the event. The caller must be work of the event, or must have
/// enrolled a completion.
void wander(uint64_t seed, int depth) {
  std::minstd_rand random(static_cast<unsigned>(seed * 2654435761u + 1));
  const int children = depth == 0 ? 0 : 1 + static_cast<int>(random() % 3);
  for (int k = 0; k < children; ++k) {
    const uint64_t its_seed = seed * 4 + static_cast<uint64_t>(k) + 1;
    const Core dest = static_cast<Core>(random() % static_cast<unsigned>(cores()));
    const Core from = mycore();
    const auto go_on = [=] { wander(its_seed, depth - 1); };
    switch (random() % 9) {
      case 0: spawn<&event>(go_on); break;
      case 1: spawn<unbound, &event>(go_on); break;
      case 2: spawnRemote<&event>(dest, go_on); break;
      case 3: delegate::call<async, &event>(dest, go_on); break;
      case 4: delegate::call<blocking, &event>(dest, [=] { spawn(go_on); }); break;
      case 5:  // the task enrolls and completes on the same core
        event.enroll(2);
        spawn([=] {
          go_on();
          event.complete(2);
        });
        break;
      case 6:  // another core sends the completion
        event.enroll();
        send_message(dest, [=] {
          spawn([=] {
            go_on();
            event.send_completion(from);
          });
        });
        break;
      case 7:  // another core enrolls its own completion
        event.enroll();
        send_message(dest, [=] {
          event.enroll();
          event.send_completion(from);
          yield();
          go_on();
          event.complete();
        });
        break;
      case 8: finish([=] { spawn(go_on); }); break;
    }
    yield_some(&random);
  }
  ++ended;
}

/// Counts the nodes of the tree.
int64_t count(uint64_t seed, int depth) {
  std::minstd_rand random(static_cast<unsigned>(seed * 2654435761u + 1));
  const int children = depth == 0 ? 0 : 1 + static_cast<int>(random() % 3);
  int64_t nodes = 1;
  for (int k = 0; k < children; ++k) {
    random();
    random();
    nodes += count(seed * 4 + static_cast<uint64_t>(k) + 1, depth - 1);
    random();
  }
  return nodes;
}

TEST(GlobalCompletionEvent, WaitsForWorkThatWandersOverTheCores) {
  const uint64_t seeds = static_cast<uint64_t>(repetitions(60, 15));
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    reset();
    const Core first = static_cast<Core>(seed % static_cast<uint64_t>(cores()));
    delegate::call(first, [seed] { finish<&event>([seed] { wander(seed, 6); }); });
    ASSERT_EQ(count(seed, 6), ended_everywhere());
    ASSERT_EQ(0, incomplete_everywhere());
  }
}

/// For each round, the number of nodes of work that this core has completed.
int64_t done[64];

void work(int round, int depth, uint64_t seed) {
  std::minstd_rand random(static_cast<unsigned>(seed * 2654435761u + 1));
  yield_some(&random);
  if (depth > 0) {
    for (unsigned k = 0; k < 2; ++k) {
      const Core dest = static_cast<Core>(random() % static_cast<unsigned>(cores()));
      const uint64_t its_seed = random();
      if (random() % 2 == 0) {
        delegate::call<async, &round_event>(dest, [=] { work(round, depth - 1, its_seed); });
      } else {
        spawn<unbound, &round_event>([=] { work(round, depth - 1, its_seed); });
      }
    }
  }
  ++done[round];
}

int64_t done_everywhere(int round) {
  return sum_all_cores([round] { return done[round]; });
}

TEST(GlobalCompletionEvent, KeepsRoundsApartForAllWaitingTasks) {
  on_all_cores([] {
    for (int64_t& times : done) times = 0;
  });
  on_all_cores([] {
    std::minstd_rand random(static_cast<unsigned>(mycore()) + 1);
    for (int round = 0; round < 40; ++round) {
      round_event.enroll();
      barrier();  // all cores have enrolled
      finish([&random, round] {
        const uint64_t seed = random();
        spawn<&round_event>([=] { work(round, 3, seed); });
        yield_some(&random);
        const unsigned others = random() % 3;  // number of other tasks that wait
        for (unsigned k = 0; k < others; ++k) {
          spawn([round] {
            round_event.wait();
            EXPECT_EQ(15 * cores(), done_everywhere(round)) << "round " << round;
          });
        }
        if (random() % 2 == 0) yield();
        round_event.complete();
        round_event.wait();
        EXPECT_EQ(15 * cores(), done_everywhere(round)) << "round " << round;
      });
      barrier();  // no task of this round still waits
    }
  });
}

TEST(GlobalCompletionEvent, OfTheNextRoundIsNotEndedByTheMessagesOfTheLast) {
  // On each core, the next round begins as soon as the first task has been woken. Then other tasks
  // wait for the next round.
  static int64_t round_here;
  for (int turn = 0; turn < 30; ++turn) {
    on_all_cores([] {
      round_here = 0;
      event.enroll();
      barrier();
      event.complete();
      event.wait();
      event.enroll();
      finish([] {
        for (int tasks = 0; tasks < 3; ++tasks) {
          spawn([] {
            event.wait();
            EXPECT_EQ(1, round_here);
          });
        }
        yield();
        delegate::call(static_cast<Core>((mycore() + 1) % cores()), [] { yield(); });
        round_here = 1;
        event.complete();
      });
    });
  }
}

TEST(GlobalCompletionEvent, OfTheNextRoundIsNotEndedByAnAnswerThatIsOnItsWay) {
  // The answer to the first task of `below` has to pass `above`, which is busy. Meanwhile the next
  // round begins, and the second task of `below` waits for it. If the machine pauses, the answer
  // may arrive earlier, and the test then checks less.
  reset();
  Core below = 0, above = 0;
  for (Core core = 1; core < cores() && above == 0; ++core) {
    below = core;
    above = delegate::call(core, [] { return CollectiveTree(topology()).parent; });
  }
  if (above == 0) return;  // without two locales of two cores, the tree has two levels
  event.enroll();
  finish([below, above] {
    spawnRemote(below, [] {
      ++started;
      event.wait();
    });
    while (started_everywhere() == 0) yield();
    sleep_for(0.002);  // core 0 knows that the task waits
    spawnRemote(above, [] {
      const uint64_t end_ns = steady_ns() + 20000000;
      while (steady_ns() < end_ns) {}
    });
    sleep_for(0.004);
    event.complete();
    event.enroll();
    spawnRemote(below, [] {
      event.wait();
      EXPECT_EQ(1, ended);
    });
    sleep_for(0.03);
    delegate::call(below, [] { ended = 1; });
    event.complete();
  });
}

}  // namespace
