/// Tests of the messages of work stealing: requests to victims, registrations with neighbours, and
/// gifts.

#include "system/message/aggregator.hpp"
#include "system/net/transport.hpp"
#include "system/parallel/options.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/parallel/stealing.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(StealProtocol, IdleCoresStopSendingMessages) {
  reset_and_fall_silent();
  const uint64_t before = requests_of_all();
  for (Core core = 0; core < cores(); ++core) {
    if (core == mycore()) continue;
    const uint64_t sent = delegate::call(core, [] { return transport().buffers_sent(); });
    const uint64_t questions = wait_for_empty_polls(core, 100);
    EXPECT_EQ(delegate::call(core, [] { return transport().buffers_sent(); }), sent + 1 + questions)
        << "core " << core << " sends more than its answers to requests";
  }
  EXPECT_EQ(requests_of_all(), before);
}

TEST(StealProtocol, AVictimKeepsHalfAndGivesItsOldestTasksToEachRegisteredThief) {
  if (cores() == 1) return;
  for (const int64_t tasks : {100, 1000}) {
    reset_and_fall_silent();
    finish([tasks] {
      spawn_numbered(0, tasks);
      detail::share();
      const int64_t given = static_cast<int64_t>(gifts().size());
      int64_t left = tasks;
      for (int64_t k = 0; k < given;) {
        const Core thief = gifts()[static_cast<size_t>(k)].thief;
        int64_t count = 0;
        for (; k < given && gifts()[static_cast<size_t>(k)].thief == thief; ++k, ++count) {
          EXPECT_EQ(gifts()[static_cast<size_t>(k)].number, k) << "the oldest first";
        }
        EXPECT_EQ(count, left / 2);
        left -= count;
      }
      EXPECT_EQ(scheduler().tasks().stealable(), static_cast<size_t>(left));
      EXPECT_EQ(thieves_of_gifts(), cores_that_leave_word_here());
    });
    EXPECT_EQ(ran_in_all(), tasks);
    EXPECT_EQ(sum_of_all(), tasks * (tasks - 1) / 2);
  }
}

TEST(StealProtocol, MovesAtMostTheMaximumAtOnce) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  const int64_t most = parallel_options().most_tasks_at_once;
  finish([most] {
    spawn_numbered(0, 20 * most);
    detail::share();
    const int64_t thieves = static_cast<int64_t>(cores_that_leave_word_here().size());
    EXPECT_EQ(static_cast<int64_t>(gifts().size()), thieves * most);
  });
  EXPECT_EQ(ran_in_all(), 20 * most);
}

TEST(StealProtocol, ACoreThatCannotStartTasksGivesItsLastTask) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  finish([] {
    CompletionEvent gate(1);
    const int64_t free = scheduler().options().num_workers - scheduler().tasks().live();
    CompletionEvent busy(free);
    for (int64_t k = 0; k < free; ++k) {
      Grappa::spawn([&gate, &busy] {
        busy.complete();
        gate.wait();
      });
    }
    busy.wait();
    spawn_numbered(0, 1);
    detail::share();
    EXPECT_EQ(gifts().size(), 1u);
    gate.complete();
    while (scheduler().tasks().live() > 0) yield();  // the tasks refer to objects on this stack
  });
  EXPECT_EQ(ran_in_all(), 1);
}

TEST(StealProtocol, RemembersThievesUntilThereAreTasksToGive) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  finish([] {
    detail::share();
    spawn_numbered(0, 1);
    detail::share();
    EXPECT_TRUE(gifts().empty()) << "half of one task is none";
    spawn_numbered(1, 100);
    detail::share();
    EXPECT_EQ(thieves_of_gifts(), cores_that_leave_word_here());
  });
  EXPECT_EQ(ran_in_all(), 100);
}

TEST(StealProtocol, GivesToEachThiefOncePerRegistration) {
  reset_and_fall_silent();
  finish([] {
    spawn_numbered(0, 100);
    detail::share();
    const size_t given = gifts().size();
    detail::share();
    EXPECT_EQ(gifts().size(), given);
  });
  EXPECT_EQ(ran_in_all(), 100);
}

TEST(StealProtocol, ThievesRegisterAgainWhenTheyAreIdleAgain) {
  for (int turn = 0; turn < 3; ++turn) {
    reset_and_fall_silent();
    finish([] {
      spawn_numbered(0, 100);
      detail::share();
    });
    std::set<Core> thieves = thieves_of_gifts();
    for (Core thief : cores_that_leave_word_here()) EXPECT_EQ(thieves.count(thief), 1u) << thief;
    EXPECT_EQ(ran_in_all(), 100);
  }
}

TEST(StealProtocol, ARegistrationThatFindsTasksIsAnsweredAtOnceAndCanBeRepeated) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  finish([] {
    spawn_numbered(0, 100);
    // This state is the same as at the start of a job: no core has registered.
    detail::start_stealing();
    const auto start = [] { detail::start_stealing(); };
    for (Core core = 0; core < cores(); ++core) {
      if (core == mycore()) continue;
      append<Acknowledged::Never, MayWait::Never>(core, 0, start);  // does not suspend
    }
    aggregator().flush_all(FlushCause::Asked);
    TaskScope* const mine = current_scope();
    // If the registrations were only stored, this loop would not end.
    while (gifts().empty()) aggregator().poll();
    scheduler().set_scope(mine);  // handlers have changed the scope
    EXPECT_GE(gifts().size(), 50u);
  });
  EXPECT_EQ(ran_in_all(), 100);
  reset_and_fall_silent();
  finish([] {
    spawn_numbered(0, 100);
    detail::share();
    EXPECT_EQ(thieves_of_gifts(), cores_that_leave_word_here());
  });
}

TEST(StealProtocol, AThiefAsksRandomVictimsAfterStolenWorkBeforeItRegisters) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  const auto asked = [] { return counted("steal.asked"); };
  std::vector<uint64_t> before;
  for (Core core = 0; core < cores(); ++core) before.push_back(delegate::call(core, asked));
  finish([] {
    spawn_numbered(0, 100);
    detail::share();
  });
  fall_silent();
  for (Core thief : thieves_of_gifts()) {
    EXPECT_GE(delegate::call(thief, asked),
              before[static_cast<size_t>(thief)] +
                  static_cast<uint64_t>(parallel_options().steal_attempts));
  }
}

void switch_stealing(bool on) {
  on_all_cores([on] { parallel_options().steal = on; });
}

TEST(StealProtocol, AsksOneCoreAtATime) {
  if (cores() == 1) return;
  reset_and_fall_silent();
  const Core next = static_cast<Core>((mycore() + 1) % cores());
  // Only this core and the next core steal, so the next core still has tasks after each request.
  switch_stealing(false);
  parallel_options().steal = true;
  send_message(next, [] {
    parallel_options().steal = true;
    spawn_numbered(0, 100);
    detail::share();
    parallel_options().steal = false;
  });
  while (ran_here == 0) yield();  // this core is not idle, so it sends no requests
  const uint64_t before = counted("steal.asked");
  detail::steal();
  detail::steal();
  EXPECT_EQ(counted("steal.asked"), before + 1);
  while (ran_in_all() < 100) yield();
  switch_stealing(true);
}

TEST(StealProtocol, CountsTheTasksThatMove) {
  reset_and_fall_silent();
  const uint64_t before = counted("steal.tasks");
  finish([before] {
    spawn_numbered(0, 100);
    detail::share();
    EXPECT_EQ(counted("steal.tasks") - before, gifts().size());
  });
}

TEST(StealProtocol, RemainingTasksRunNewestFirst) {
  reset_and_fall_silent();
  finish([] {
    spawn_numbered(0, 100);
    detail::share();
  });
  std::set<int64_t> given;
  for (const Gift& gift : gifts()) given.insert(gift.number);
  std::vector<int64_t> stayed, newest_first;
  for (int64_t number : ran_in_order()) {
    if (given.count(number) == 0) stayed.push_back(number);
  }
  for (int64_t number = 99; number >= 0; --number) {
    if (given.count(number) == 0) newest_first.push_back(number);
  }
  EXPECT_EQ(stayed, newest_first);
}

TEST(StealProtocol, WithoutStealingNoTaskMoves) {
  reset_and_fall_silent();  // now all cores have registered
  switch_stealing(false);
  finish([] {
    spawn_numbered(0, 1000);
    detail::share();
    for (int k = 0; k < 100; ++k) yield();
  });
  EXPECT_TRUE(gifts().empty());
  EXPECT_EQ(ran_here, 1000);
  switch_stealing(true);
}

TEST(StealProtocol, WithoutStealingNoCoreAsks) {
  fall_silent();
  switch_stealing(false);
  const uint64_t before = requests_of_all();
  on_all_cores([] { detail::start_stealing(); });  // now no core has registered
  for (Core core = 0; core < cores(); ++core) {
    if (core != mycore()) wait_for_empty_polls(core, 100);
  }
  EXPECT_EQ(requests_of_all(), before);
  switch_stealing(true);
}

}  // namespace
}  // namespace Grappa
