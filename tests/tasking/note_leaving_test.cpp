#include "system/tasking/note_leaving.hpp"

#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace Grappa {
namespace {

constexpr size_t kEvents = 100000;

/// What happens while `body` runs as the main task of a core, whatever how short.
template <class F>
std::vector<Event> recorded(const TaskingOptions& options, F body) {
  EventLog log(kEvents, 0, 1);
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

/// Two tasks take turns, so that each switch is from one to the other.
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

TEST(NoteLeaving, TellsOfEverySwitch) {
  constexpr int kTurns = 1000;
  EXPECT_LE(2 * kTurns,
            most_runs_of_a_kind(recorded(TaskingOptions(), [] { take_turns(kTurns); })));
}

/// So many that the scheduler looks at canaries no more with each switch.
TEST(NoteLeaving, TellsOfEverySwitchAmongManyPackedStacks) {
  constexpr int kWaiting = 5000, kTurns = 2 * kWaiting;
  TaskingOptions options;
  options.stack_bytes = options.packed_below_bytes / 2;
  options.num_workers = kWaiting + 10;
  WaitQueue queue;
  EXPECT_LE(2 * kTurns, most_runs_of_a_kind(recorded(options, [&queue] {
              spawn_behind(&queue, kWaiting, [](int) {});
              take_turns(kTurns);
              queue.wake_all();
            })));
}

TEST(NoteLeaving, TellsWhatIsWaitedFor) {
  WaitQueue queue;
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
  const auto run = std::find_if(events.begin(), events.end(), [mutex](const Event& event) {
    return event.kind == Event::Kind::Run && event.reason == mutex;
  });
  const auto wait = std::find_if(events.begin(), events.end(), [mutex](const Event& event) {
    return event.kind == Event::Kind::Wait && event.reason == mutex;
  });
  ASSERT_NE(events.end(), run);
  ASSERT_NE(events.end(), wait);
  EXPECT_EQ(run->number, wait->number);
  EXPECT_EQ(run->end_ticks, wait->begin_ticks);
  EXPECT_EQ(reinterpret_cast<uint64_t>(&queue), wait->what);
}

}  // namespace
}  // namespace Grappa
