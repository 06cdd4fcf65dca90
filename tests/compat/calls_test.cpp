/// Tests of functions of the original Grappa. Grappa.hpp of Grappa::compat declares these
/// functions.

#include "tests/compat/samples.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <string>

namespace {

using namespace Grappa;

int64_t count = 0;
Mutex mutex;
Triple triple;

TEST(CallSuspendable, IsCall) {
  EXPECT_EQ(last_core(), delegate::call_suspendable(last_core(), [] {
              yield();
              return mycore();
            }));
  delegate::call_suspendable(make_global(&count, last_core()), [](int64_t& here) {
    yield();
    here = 9;
  });
  EXPECT_EQ(9, delegate::call_suspendable(
                   last_core(), [] { return &mutex; },
                   [](Mutex*) {
                     yield();
                     return count;
                   }));
}

TEST(CallSuspendable, RunsOnEachCore) {
  on_all_cores([] {
    for (const Core core : some_cores()) {
      EXPECT_EQ(core, delegate::call_suspendable(core, [] {
                  yield();
                  return mycore();
                }));
      const auto there = make_global(&triple, core);
      EXPECT_EQ(core, delegate::call_suspendable(there, [](Triple&) {
                  yield();
                  return mycore();
                }));
      EXPECT_EQ(&triple, delegate::call_suspendable(there, [](Triple* mine) {
        delegate::call(next_core(), [] {});
        return mine;
      }));
      const auto lock = [] { return &mutex; };
      EXPECT_EQ(core, delegate::call_suspendable(core, lock, [] {
                  yield();
                  return mycore();
                }));
    }
  });
}

TEST(PrivateTask, StaysOnItsCore) {
  on_all_cores([] {
    int64_t ended = 0;
    const Core home = mycore();
    finish([&ended, home] {
      for (int k = 0; k < 8; ++k) {
        privateTask([&ended, home] {
          yield();
          EXPECT_EQ(home, mycore());
          ++ended;
        });
      }
    });
    EXPECT_EQ(8, ended);
  });
}

TEST(PublicTask, RunsOnAnyCore) {
  on_all_cores([] { count = 0; });
  const GlobalAddress<int64_t> ran = make_global(&count, last_core());
  on_all_cores([ran] {
    for (int k = 0; k < 8; ++k) {
      publicTask([ran] {
        yield();
        delegate::increment(ran, 1);
      });
    }
  });
  EXPECT_EQ(8 * cores(), delegate::read(ran));
}

TEST(ArrayStr, PrintsTheGivenNumberPerLine) {
  const auto array = global_alloc<int64_t>(5);
  for (int64_t k = 0; k < 5; ++k) delegate::write(array + k, 11 * k);
  EXPECT_EQ("squares: [\n  0 11 22\n  33 44\n]", util::array_str("squares", array, 5, 3));
  EXPECT_EQ("none: [\n]", util::array_str("none", array, 0));
  const std::string line = util::array_str("line", array, 5);
  EXPECT_EQ("line: [\n  0 11 22 33 44\n]", line);
  const double local[2] = {0.5, 2};
  EXPECT_EQ("local: [\n  0.5 2\n]", util::array_str("local", local, 2, 10));
  global_free(array);
}

}  // namespace
