/// Tests of loops over symmetric objects.

#include "system/parallel/symmetric.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

struct Part {
  explicit Part(int64_t factor) : value(factor * (mycore() + 1)) {}
  int64_t value;
  int64_t calls = 0;
  char padding[100];  // more bytes than a block has
};

GlobalCompletionEvent event;

class SymmetricForall : public testing::Test {
 protected:
  void SetUp() override { parts = symmetric<Part>(int64_t{10}); }
  void TearDown() override { global_free(parts); }

  /// Checks that each core has called the body `calls` times since the last check.
  void expect_calls_on_each_core(int64_t calls) {
    const auto all = parts;
    on_all_cores([all, calls] {
      EXPECT_EQ(calls, all->calls);
      all->calls = 0;
    });
  }

  GlobalAddress<Part> parts;
};

TEST_F(SymmetricForall, RunsOnceOnEachCoreWithItsObject) {
  const auto all = parts;
  forall(parts, [all](Part& mine) {
    EXPECT_EQ(10 * (mycore() + 1), mine.value);
    EXPECT_EQ(all.pointer(), &mine);
    ++mine.calls;
  });
  expect_calls_on_each_core(1);
}

TEST_F(SymmetricForall, MayBeCalledOnAnyCore) {
  const auto all = parts;
  delegate::call(static_cast<Core>(cores() - 1),
                 [all] { forall(all, [](Part& mine) { ++mine.calls; }); });
  expect_calls_on_each_core(1);
}

int64_t file_scope_object;

TEST_F(SymmetricForall, TakesAnObjectAtFileScope) {
  on_all_cores([] { file_scope_object = 0; });
  forall(make_global(&file_scope_object, 0), [](int64_t& mine) { mine += 2; });
  EXPECT_EQ(2 * cores(), (reduce<int64_t, collective_add>(&file_scope_object)));
}

TEST_F(SymmetricForall, TakesObjectsThatAreNotConstructed) {
  const auto words = symmetric_global_alloc<int64_t>();
  forall(words, [](int64_t& mine) { mine = mycore(); });
  EXPECT_EQ(cores() * (cores() - 1) / 2, (reduce<int64_t, collective_add>(words)));
  global_free(words);
}

TEST_F(SymmetricForall, WaitsForWhatItsBodiesStart) {
  const auto all = parts;
  forall(parts, [all](Part&) {
    yield();
    const Core next = static_cast<Core>((mycore() + 1) % cores());
    delegate::call<async>(next, [all] {
      spawn([all] {
        yield();
        ++all->calls;
      });
    });
  });
  expect_calls_on_each_core(1);
}

TEST_F(SymmetricForall, AnAsyncLoopReturnsAtOnceAndJoinsTheCallersScope) {
  const auto all = parts;
  finish([all] {
    static bool go_on;
    on_all_cores([] { go_on = false; });
    forall<async>(all, [](Part& mine) {
      while (!go_on) yield();
      ++mine.calls;
    });
    EXPECT_EQ(0, all->calls);
    // The call needs its own scope, because this scope ends only after the bodies.
    finish([] { call_on_all_cores([] { go_on = true; }); });
  });
  expect_calls_on_each_core(1);
}

TEST_F(SymmetricForall, ALoopOfAnEventIsWorkOfTheEvent) {
  const auto all = parts;
  finish([all] {
    static bool go_on;
    on_all_cores([] { go_on = false; });
    finish([all] {  // would not end if the loop had joined this scope
      forall<async, &event>(all, [](Part& mine) {
        while (!go_on) yield();
        ++mine.calls;
      });
    });
    on_all_cores([] { go_on = true; });
  });
  event.wait();
  expect_calls_on_each_core(1);

  forall<&event>(parts, [](Part& mine) { spawn([&mine] { ++mine.calls; }); });
  EXPECT_EQ(0, event.incomplete());
  expect_calls_on_each_core(1);
}

}  // namespace
