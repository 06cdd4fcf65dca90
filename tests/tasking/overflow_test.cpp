#include "system/tasking/worker_pool.hpp"

#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"
#include "tests/harness/tasks.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace Grappa {

using namespace detail;

namespace {

TEST(Overflow, MessageNamesWorkerTaskAndRemedy) {
  struct Body {};
  StackArea area(8 * KiB, StackPlacement::Packed, 1);
  Worker worker(17, area.take());
  worker.runs = type_signature<Body>();
  const std::string sentence = overflow_sentence(worker).text;
  EXPECT_NE(sentence.find("worker 17, running"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("Body"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("8192 bytes"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("raise --stack_bytes"), std::string::npos) << sentence;
}

TEST(Overflow, TruncatesLongNames) {
  StackArea area(8 * KiB, StackPlacement::Packed, 1);
  Worker worker(1, area.take());
  const std::string name(5000, 'x');
  worker.runs = name.c_str();
  const std::string sentence = overflow_sentence(worker).text;
  EXPECT_NE(sentence.find("raise --stack_bytes"), std::string::npos) << sentence;
}

TEST(Overflow, MessageReportsAWorkerWithoutATask) {
  StackArea area(8 * KiB, StackPlacement::Packed, 1);
  Worker worker(3, area.take());
  const std::string sentence = overflow_sentence(worker).text;
  EXPECT_NE(sentence.find("worker 3, running nothing, overflowed"), std::string::npos) << sentence;
}

/// Overwrites about `bytes` of the stack and returns.
GRAPPA_NOINLINE int use_stack(size_t bytes) {
  volatile char frame[1024];  // sanitizers add hundreds of bytes to each frame
  for (volatile char& byte : frame) byte = 1;
  return (bytes <= sizeof frame ? 0 : use_stack(bytes - sizeof frame)) + frame[0];
}

TaskingOptions packed_stacks() {
  TaskingOptions options;
  options.stack_bytes = 16 * KiB;
  options.packed_above_workers = 0;
  return options;
}

#if !GRAPPA_ASAN
// The stack of the first task is below that of the second task. The second task overflows into it.
TEST(OverflowDeathTest, OnAPackedStackIsDetectedAtTheNextSwitch) {
  for (const bool yields : {false, true}) {
    EXPECT_DEATH(run_tasks(packed_stacks(),
                           [yields] {
                             WaitQueue<> gate;
                             spawn([&gate] { gate.suspend(); });
                             spawn([&gate, yields] {
                               use_stack(16 * KiB);
                               if (yields) {
                                 yield();
                               } else {
                                 gate.suspend();
                               }
                             });
                           }),
                 "worker [0-9]+, running .*overflowed its stack of 16384 bytes.*--stack_bytes");
  }
}

/// Has a frame of 335 KB, writes only the far end of the frame, and switches.
GRAPPA_NOINLINE void step_over() {
  volatile char array[335000];
  array[0] = 1;
  yield();
  if (array[0] != 1) std::abort();
}

TEST(OverflowDeathTest, ByAFrameThatSkipsTheCanaryIsDetectedAtTheNextSwitch) {
  for (const int waiting : {0, 1}) {  // number of other ready workers
    EXPECT_DEATH(run_tasks(packed_stacks(),
                           [waiting] {
                             WaitQueue<> gate;
                             spawn_behind(&gate, 40, [](int) {});  // stacks below the frame
                             for (int k = 0; k < waiting; ++k) {
                               spawn([] {
                                 for (int turns = 0; turns < 1000; ++turns) yield();
                               });
                             }
                             spawn([] { step_over(); });
                             gate.suspend();
                           }),
                 "running .*overflowed its stack of 16384 bytes");
  }
}

TEST(Overflow, FewSmallStacksHaveGuards) {
  for (const int64_t workers : {4096, 4097}) {
    TaskingOptions options;
    options.stack_bytes = 16 * KiB;
    options.num_workers = workers;
    bool guarded = false;
    run_tasks(options, [&guarded] {
      WaitQueue<> gate;
      spawn_behind(&gate, 2, [](int) {});
      spawn([&guarded] { guarded = scheduler().current()->stack.guarded(); });
      while (scheduler().tasks().size() != 0) yield();
      gate.wake_all();
    });
    EXPECT_EQ(guarded, workers == 4096) << workers;
  }
}

TEST(OverflowDeathTest, IsDetectedSomeSwitchesLaterWithManyWorkers) {
  const int kWorkers = 5000;  // more canaries than fit into the cache
  TaskingOptions options = packed_stacks();
  options.num_workers = kWorkers + 10;
  EXPECT_DEATH(run_tasks(options,
                         [] {
                           WaitQueue<> gate;
                           spawn_behind(&gate, kWorkers, [](int) {});
                           VirtualClock clock;  // the time is constant, so no poll is due
                           for (int others = 0; others < 2; ++others) {
                             spawn([] {
                               for (;;) yield();
                             });
                           }
                           // The stack of the next task is above the stack of this waiting task.
                           spawn([&gate] { gate.suspend(); });
                           yield();
                           spawn([] {
                             use_stack(16 * KiB);
                             for (int k = 0; k < 2000; ++k) yield();
                             std::exit(0);  // the overflow was not detected
                           });
                           gate.suspend();
                         }),
               "overflowed its stack of 16384 bytes");
}
#endif

#if !GRAPPA_ASAN
TEST(OverflowDeathTest, InATaskThatNeverSuspendsIsAttributedToThatTask) {
  struct Guilty {
    void operator()() const { use_stack(16 * KiB); }
  };
  struct Innocent {
    void operator()() const { yield(); }
  };
  EXPECT_DEATH(run_tasks(packed_stacks(),
                         [] {
                           WaitQueue<> gate;
                           spawn([&gate] { gate.suspend(); });
                           spawn(Guilty());
                           spawn(Innocent());
                         }),
               "running .*Guilty.*overflowed");
}
#endif

TEST(Overflow, DeepRecursionWithinTheStackIsNoOverflow) {
  int ended = 0;
  run_tasks(packed_stacks(), [&ended] {
    for (int k = 0; k < 10; ++k) {
      spawn([&ended] {
        use_stack(8 * KiB);
        yield();
        ++ended;
      });
    }
  });
  EXPECT_EQ(ended, 10);
}

}  // namespace
}  // namespace Grappa
