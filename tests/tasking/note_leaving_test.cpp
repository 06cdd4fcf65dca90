#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

constexpr size_t kEvents = 100000;

/// Returns the events recorded while `body` runs as the main task of a core. With `each_switch`,
/// even the shortest events are recorded.
template <class F>
std::vector<Event> recorded(const TaskingOptions& options, F body, bool each_switch = true) {
  EventLog log(kEvents, each_switch ? 0 : 1000, 1, each_switch);
  detail::the_event_log = &log;
  {
    TaskRunner runner(options);
    runner.run([&] {
      body();
      runner.wait_for_tasks();
    });
  }
  detail::the_event_log = nullptr;
  log.stop();
  EXPECT_EQ(0u, log.left_out());
  return log.events(0, kEvents);
}

/// Runs two tasks that yield to each other.
void take_turns(int turns) {
  static int begun;
  begun = 0;
  for (int task = 0; task < 2; ++task) {
    spawn([turns] {
      ++begun;
      while (begun != 2) yield();
      for (int turn = 0; turn < turns; ++turn) yield();
    });
  }
}

int64_t most_runs_of_a_kind(const std::vector<Event>& events) {
  std::map<uint64_t, int64_t> runs;
  for (const Event& event : events) {
    if (event.kind == Event::Kind::Run) ++runs[event.what];
  }
  int64_t most = 0;
  for (const auto& kind : runs) most = std::max(most, kind.second);
  return most;
}

TEST(NoteLeaving, RecordsEverySwitch) {
  constexpr int kTurns = 1000;
  EXPECT_LE(2 * kTurns,
            most_runs_of_a_kind(recorded(TaskingOptions(), [] { take_turns(kTurns); })));
}

/// With this many workers the scheduler no longer checks the canary at each switch.
TEST(NoteLeaving, RecordsEverySwitchAmongManyPackedStacks) {
  constexpr int kWaiting = 5000, kTurns = 2 * kWaiting;
  TaskingOptions options;
  options.stack_bytes = options.packed_below_bytes / 2;
  options.num_workers = kWaiting + 10;
  WaitQueue<> queue;
  EXPECT_LE(2 * kTurns, most_runs_of_a_kind(recorded(options, [&queue] {
              spawn_behind(&queue, kWaiting, [](int) {});
              take_turns(kTurns);
              queue.wake_all();
            })));
}

TEST(NoteLeaving, RecordsTheWaitReason) {
  WaitQueue<> queue;
  const auto events = recorded(TaskingOptions(), [&queue] {
    bool waits = false;
    spawn([&queue, &waits] {
      waits = true;
      queue.suspend(WaitReason(WaitReason::Kind::Mutex, &queue));
    });
    while (!waits) yield();
    queue.wake_one();
    scheduler().yield();
  });
  const auto mutex = static_cast<uint8_t>(WaitReason::Kind::Mutex);
  const auto run = std::find_if(events.begin(), events.end(), [](const Event& event) {
    return event.kind == Event::Kind::Run && event.reason == mutex;
  });
  const auto wait = std::find_if(events.begin(), events.end(), [](const Event& event) {
    return event.kind == Event::Kind::Wait && event.reason == mutex;
  });
  ASSERT_NE(events.end(), run);
  ASSERT_NE(events.end(), wait);
  EXPECT_EQ(run->number, wait->number);
  EXPECT_EQ(run->end_ticks, wait->begin_ticks);
  EXPECT_EQ(reinterpret_cast<uint64_t>(&queue), wait->what);
}

void work_for_ns(uint64_t ns) {
  const uint64_t end_ns = steady_ns() + ns;
  while (steady_ns() < end_ns) continue;
}

TEST(NoteLeaving, CountsUnrecordedSwitches) {
  constexpr int kTurns = 10000;
  TaskingOptions rare_polls;  // a task may run alone between two polls
  rare_polls.poll_interval_ns = 1000000;
  uint64_t runs = 0, events = 0;
  for (const Event& event : recorded(
           rare_polls, [] { take_turns(kTurns); }, false)) {
    if (event.kind == Event::Kind::Runs) runs += event.count;
    if (event.kind == Event::Kind::Runs || event.kind == Event::Kind::Run) ++events;
  }
  EXPECT_LE(2 * kTurns * 9 / 10, runs);
  EXPECT_GE(4 * kTurns, runs);
  EXPECT_GE(kTurns / 2, events);
}

/// Long tasks are recorded with their names, even among many short tasks.
TEST(NoteLeaving, NamesLongTasksWithoutRecordingEverySwitch) {
  constexpr int kLong = 50;
  constexpr uint64_t kLongNs = 20000;
  const auto events = recorded(
      TaskingOptions(),
      [] {
        for (int i = 0; i < 10000; ++i) spawn([] {});
        for (int i = 0; i < kLong; ++i) spawn([] { work_for_ns(kLongNs); });
      },
      false);
  std::map<uint64_t, int> long_runs;
  for (const Event& event : events) {
    const double ns = double(event.end_ticks - event.begin_ticks) / ticks_per_ns();
    if (event.kind == Event::Kind::Run && ns >= 0.9 * kLongNs) ++long_runs[event.what];
  }
  int most = 0;
  for (const auto& kind : long_runs) most = std::max(most, kind.second);
  EXPECT_LE(kLong - 17, most) << "the clock may not be read before the first long tasks";
}

/// A wait that begins before a poll must be recorded until the worker runs again. The system may
/// stop the process between the call and the begin of a wait, but hardly each time.
TEST(NoteLeaving, TimesWaitsWithoutRecordingEverySwitch) {
  constexpr uint64_t kWaitNs = 3000000;
  const auto least_ticks = static_cast<uint64_t>(0.99 * kWaitNs * ticks_per_ns());
  std::vector<uint64_t> called;
  const auto events = recorded(
      TaskingOptions(),
      [&] {
        for (int i = 0; i < 5; ++i) {
          called.push_back(ticks());
          sleep_for(1e-9 * kWaitNs);
        }
      },
      false);
  const auto time = static_cast<uint8_t>(WaitReason::Kind::Time);
  size_t waits = 0;
  uint64_t longest = 0;
  for (const Event& event : events) {
    if (event.kind != Event::Kind::Wait || event.reason != time) continue;
    ASSERT_LT(waits, called.size());
    EXPECT_LE(called[waits], event.begin_ticks);
    EXPECT_LE(called[waits] + least_ticks, event.end_ticks);
    longest = std::max(longest, event.end_ticks - event.begin_ticks);
    ++waits;
  }
  EXPECT_EQ(called.size(), waits);
  EXPECT_LE(least_ticks, longest);
}

}  // namespace
}  // namespace Grappa
