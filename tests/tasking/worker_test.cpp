#include "system/tasking/worker.hpp"

#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/spawn.hpp"
#include "system/tasking/wait_queue.hpp"
#include "tests/harness/tasks.hpp"

#include <cfenv>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

namespace Grappa {
namespace {

/// Throws across a frame that has switched, and catches.
int thrown_and_caught(int id) {
  try {
    yield();
    if (id % 2 == 0) throw id;
    throw std::runtime_error(std::to_string(id));
  } catch (int caught) {
    return caught;
  } catch (const std::runtime_error& caught) {
    return std::stoi(caught.what());
  }
}

TEST(Worker, ExceptionsPassAcrossFramesThatHaveYielded) {
  int right = 0;
  run_tasks([&right] {
    for (int id = 0; id < 10; ++id) {
      spawn([&right, id] {
        for (int k = 0; k < 20; ++k) right += thrown_and_caught(id) == id;
      });
    }
  });
  EXPECT_EQ(right, 200);
}

TEST(WorkerDeathTest, AnExceptionThatLeavesATaskEndsTheJobWithItsText) {
  EXPECT_DEATH(run_tasks([] { spawn([] { throw std::runtime_error("no such vertex"); }); }),
               "an exception left a task or a message: no such vertex");
  EXPECT_DEATH(run_tasks([] { throw 7; }), "no std::exception left a task");
}

/// Sums in so many variables at a time that they fill the registers, with a switch between any two
/// additions. Returns what the same additions give without switches minus what they gave.
template <class T>
GRAPPA_NOINLINE T sum_across_switches(T start) {
  T a = start, b = a + 1, c = b + 1, d = c + 1, e = d + 1, f = e + 1, g = f + 1, h = g + 1;
  for (int k = 0; k < 100; ++k) {
    a += b, yield();
    b += c, yield();
    c += d, yield();
    d += e, yield();
    e += f, yield();
    f += g, yield();
    g += h, yield();
    h += 1, yield();
  }
  T p = start, q = p + 1, r = q + 1, s = r + 1, t = s + 1, u = t + 1, v = u + 1, w = v + 1;
  for (int k = 0; k < 100; ++k) {
    p += q, q += r, r += s, s += t, t += u, u += v, v += w, w += 1;
  }
  return (a - p) + (b - q) + (c - r) + (d - s) + (e - t) + (f - u) + (g - v) + (h - w);
}

TEST(Worker, RegistersSurviveSwitches) {
  int wrong = 0;
  run_tasks([&wrong] {
    for (uint64_t id = 0; id < 5; ++id) {
      spawn([&wrong, id] { wrong += sum_across_switches<uint64_t>(id << 32) != 0; });
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Worker, FloatingPointValuesSurviveSwitches) {
  int wrong = 0;
  run_tasks([&wrong] {
    for (int id = 0; id < 5; ++id) {
      spawn([&wrong, id] { wrong += sum_across_switches<double>(0.25 * id) != 0; });
    }
  });
  EXPECT_EQ(wrong, 0);
}

#if defined(__x86_64__)
TEST(Worker, EachTaskKeepsItsRoundingMode) {
  const int kModes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  int wrong = 0;
  run_tasks([&] {
    WaitQueue gate;
    spawn_behind(&gate, 4, [&wrong, &kModes](int id) {
      std::fesetround(kModes[id]);
      for (int k = 0; k < 10; ++k) {
        yield();
        wrong += std::fegetround() != kModes[id];
      }
      std::fesetround(FE_TONEAREST);
    });
    gate.wake_all();
  });
  EXPECT_EQ(wrong, 0);
}
#endif

#if defined(__x86_64__)
TEST(Worker, ATaskBeginsWithTheDefaultRoundingMode) {
  int mode = -1;
  run_tasks([&mode] {
    std::fesetround(FE_UPWARD);
    spawn([&mode] { mode = std::fegetround(); });
    while (mode < 0) yield();
    std::fesetround(FE_TONEAREST);
  });
  EXPECT_EQ(mode, FE_TONEAREST);
}
#endif

/// Uses about `bytes` of the stack, switching at its deepest point; returns how many frames it took.
GRAPPA_NOINLINE int recurse(size_t bytes) {
  volatile char frame[KiB];
  frame[0] = frame[KiB - 1] = 1;
  if (bytes < 2 * KiB) {
    yield();
    return frame[0];
  }
  return recurse(bytes - KiB) + frame[KiB - 1];
}

TEST(Worker, TasksRecurseAsDeepAsTheirStack) {
  TaskingOptions options;
  options.stack_bytes = MiB;
  int frames = 0;
  run_tasks(options, [&frames] {
    for (int id = 0; id < 3; ++id) spawn([&frames] { frames += recurse(512 * KiB); });
  });
  EXPECT_EQ(frames, 3 * 512);
}

TEST(Worker, TheMainTaskHasAStackOfItsOwnSize) {
  TaskingOptions options;
  options.stack_bytes = 64 * KiB;
  options.main_stack_bytes = 4 * MiB;
  int frames = 0;
  run_tasks(options, [&frames] { frames = recurse(2 * MiB); });
  EXPECT_EQ(frames, 2048);
}

TEST(Worker, FindsTheWorkerWhoseStackOverflowed) {
  run_tasks([] {
    const Worker* self = scheduler().current();
    const size_t kAcrossTheSlack = 2 * page_bytes();
    EXPECT_EQ(scheduler().worker_guarding(self->stack.bottom() - kAcrossTheSlack), self);
    EXPECT_EQ(scheduler().worker_guarding(self->stack.bottom()), nullptr);
    EXPECT_EQ(scheduler().worker_guarding(nullptr), nullptr);
    spawn([kAcrossTheSlack] {
      const Worker* other = scheduler().current();
      EXPECT_EQ(scheduler().worker_guarding(other->stack.bottom() - kAcrossTheSlack), other);
    });
  });
}

TEST(Worker, KeepsTheExceptionsOfTasksApartThatYieldWhileHandlingThem) {
  int right = 0;
  run_tasks([&right] {
    static int inside;
    inside = 0;
    for (int id = 0; id < 2; ++id) {
      spawn([&right, id] {
        const std::string mine = "of task " + std::to_string(id);
        try {
          throw std::runtime_error(mine);
        } catch (const std::runtime_error&) {
          ++inside;
          while (inside < 2) yield();                 // both handle theirs now
          for (int k = 0; k < 10 * id; ++k) yield();  // task 0 ends first
          try {
            throw;
          } catch (const std::runtime_error& again) {
            if (again.what() == mine) ++right;
          }
        }
      });
    }
  });
  EXPECT_EQ(2, right);
}

}  // namespace
}  // namespace Grappa
