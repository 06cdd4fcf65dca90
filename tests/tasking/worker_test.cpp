#include "system/tasking/worker.hpp"

#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/tasks.hpp"

#include <cfenv>
#include <cstdint>
#include <exception>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

namespace Grappa {

using namespace detail;

namespace {

/// Throws through a frame that has switched, and catches the exception.
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

/// Adds in enough variables to fill the registers, with a switch between any two additions. Returns
/// the difference between the sum without switches and the sum with switches.
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
    WaitQueue<> gate;
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
TEST(Worker, ATaskStartsWithTheDefaultRoundingMode) {
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

/// Uses about `bytes` of the stack and switches at the deepest point. Returns the number of frames.
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

TEST(Worker, FindsTheWorkerOfAGuardAddress) {
  run_tasks([] {
    const Worker* self = scheduler().current();
    const size_t kAcrossTheSlack = 2 * page_bytes();
    EXPECT_EQ(scheduler().pool().whose(&Stack::guards, self->stack.bottom - kAcrossTheSlack), self);
    EXPECT_EQ(scheduler().pool().whose(&Stack::guards, self->stack.bottom), nullptr);
    EXPECT_EQ(scheduler().pool().whose(&Stack::guards, nullptr), nullptr);
    spawn([kAcrossTheSlack] {
      const Worker* other = scheduler().current();
      EXPECT_EQ(scheduler().pool().whose(&Stack::guards, other->stack.bottom - kAcrossTheSlack),
                other);
    });
  });
}

TEST(Worker, TasksThatYieldInACatchBlockKeepTheirOwnExceptions) {
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
          while (inside < 2) yield();                 // now both tasks handle an exception
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

/// Recurses until it has used the given part of the stack, and switches there. Returns the number
/// of frames, counted while the recursion returns.
GRAPPA_NOINLINE int64_t recurse_below(const char* top, size_t bytes) {
  volatile char frame[4 * KiB];
  frame[0] = frame[sizeof frame - 1] = 1;
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  if (static_cast<size_t>(top - here) >= bytes) {
    yield();
    return frame[0];
  }
  return recurse_below(top, bytes) + frame[sizeof frame - 1];
}

TEST(Worker, ATaskRecursesThrough48MiBOfAStackOf64) {
  TaskingOptions options;
  options.stack_bytes = 64 * MiB;
  int64_t frames = 0;
  int shallow = 0;
  run_tasks(options, [&] {
    spawn([&frames] { frames = recurse_below(scheduler().current()->stack.top(), 48 * MiB); });
    for (int k = 0; k < 3; ++k) {
      spawn([&shallow] {
        yield();
        ++shallow;
      });
    }
  });
  EXPECT_GE(frames, 48 * 1024 / 6);  // a frame is slightly larger than 4 KiB
  EXPECT_LE(frames, 48 * 1024 / 4);
  EXPECT_EQ(shallow, 3);
}

TEST(Worker, TheMainTaskStackIsAtLeastAsLargeAsOthers) {
  TaskingOptions options;
  options.stack_bytes = 4 * MiB;
  options.main_stack_bytes = 64 * KiB;
  int frames = 0;
  run_tasks(options, [&frames] { frames = recurse(2 * MiB); });
  EXPECT_EQ(frames, 2048);
}

std::string what_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Throws inside a catch block, and switches at each step.
std::string throw_nested(const std::string& name) {
  std::string seen;
  try {
    try {
      throw std::runtime_error(name + " inner");
    } catch (const std::runtime_error&) {
      yield();
      const std::exception_ptr inner = std::current_exception();
      try {
        throw std::logic_error(name + " outer");
      } catch (const std::logic_error& outer) {
        yield();
        seen += std::string(outer.what()) + ", ";
        yield();
        seen += what_of(inner) + ", ";
      }
      yield();
      seen += what_of(std::current_exception()) + ", ";
      throw;
    }
  } catch (const std::runtime_error& again) {
    yield();
    seen += again.what();
  }
  return seen;
}

TEST(Worker, ExceptionsInsideCatchBlocksStayNestedAcrossYields) {
  int right = 0;
  run_tasks([&right] {
    for (int id = 0; id < 10; ++id) {
      spawn([&right, id] {
        const std::string name = std::to_string(id);
        for (int k = 0; k < id; ++k) yield();  // the tasks reach different points
        for (int k = 0; k < 20; ++k) {
          right += throw_nested(name) ==
                   name + " outer, " + name + " inner, " + name + " inner, " + name + " inner";
        }
      });
    }
  });
  EXPECT_EQ(right, 200);
}

TEST(Worker, TheCurrentExceptionStaysAcrossAYieldAndAnotherTaskMayRethrowIt) {
  std::string seen;
  run_tasks([&seen] {
    std::exception_ptr kept;
    spawn([&kept] {
      try {
        throw std::runtime_error("kept");
      } catch (...) {
        const std::exception_ptr before = std::current_exception();
        yield();
        EXPECT_TRUE(std::current_exception() == before);
        kept = before;
      }
      EXPECT_TRUE(std::current_exception() == nullptr);
    });
    while (kept == nullptr) {
      EXPECT_TRUE(std::current_exception() == nullptr) << "the exception of another task";
      yield();
    }
    seen = what_of(kept);
  });
  EXPECT_EQ(seen, "kept");
}

TEST(Worker, ATaskMaySuspendInACatchBlockWhileOthersThrow) {
  std::string seen;
  int others = 0;
  run_tasks([&] {
    WaitQueue<> gate;
    spawn([&] {
      try {
        throw std::runtime_error("mine");
      } catch (const std::runtime_error& mine) {
        gate.suspend();
        try {
          throw;
        } catch (const std::exception& again) {
          seen = std::string(mine.what()) + ", " + again.what();
        }
      }
    });
    while (gate.empty()) yield();
    for (int id = 0; id < 5; ++id) {
      spawn([&others, id] { others += thrown_and_caught(id) == id; });
    }
    for (int k = 0; k < 10000 && others < 5; ++k) yield();
    EXPECT_EQ(others, 5);
    gate.wake_one();
  });
  EXPECT_EQ(seen, "mine, mine");
}

struct YieldsWhenDestroyed {
  bool* unwinding;

  ~YieldsWhenDestroyed() {
    EXPECT_TRUE(std::uncaught_exception());
    *unwinding = true;
    for (int k = 0; k < 5; ++k) yield();
    EXPECT_TRUE(std::uncaught_exception());
    *unwinding = false;
  }
};

TEST(Worker, ADestructorThatYieldsDuringUnwindingDoesNotAffectOtherTasks) {
  int caught_here = 0;
  int others_turns = 0;
  run_tasks([&] {
    bool unwinding = false;
    spawn([&] {
      try {
        YieldsWhenDestroyed guard = {&unwinding};
        throw 7;
      } catch (int value) {
        caught_here = value;
      }
    });
    while (caught_here == 0) {
      if (unwinding) ++others_turns;
      EXPECT_FALSE(std::uncaught_exception());
      yield();
    }
  });
  EXPECT_EQ(caught_here, 7);
  EXPECT_GT(others_turns, 0);
}

}  // namespace
}  // namespace Grappa
