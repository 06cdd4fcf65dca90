#include "tests/compat/samples.hpp"

#include <AsyncDelegate.hpp>

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

TEST(Promise, ReturnsTheAnswerOfACall) {
  for (Core core = 0; core < cores(); ++core) {
    delegate::Promise<int64_t> promise;
    promise.call_async(core, [] { return 10 + mycore(); });
    EXPECT_EQ(10 + core, promise.get());
    EXPECT_EQ(10 + core, promise.get());
  }
}

TEST(Promise, ReturnsTheValueOfFill) {
  Promise<double> promise;
  promise.fill(2.5);
  EXPECT_EQ(2.5, promise.get());
  promise.fill(3);
  EXPECT_EQ(3.0, promise.get());
}

TEST(Promise, IsFilledByADelegateOfAnotherCore) {
  Promise<int64_t> promise;
  const auto here = make_global(&promise);
  finish([here] {
    delegate::call<async>(last_core(), [here] {
      delegate::call<async>(here, [](Promise<int64_t>& mine) { mine.fill(31); });
    });
    EXPECT_EQ(31, here.pointer()->get());
  });
}

TEST(Promise, WakesAllWaitingTasks) {
  for (const bool by_call : {false, true}) {
    Promise<int64_t> promise;
    int64_t sum = 0;
    finish([&] {
      for (int k = 0; k < 20; ++k) spawn([&] { sum += promise.get(); });
      for (int turns = 0; turns < 5; ++turns) yield();
      EXPECT_EQ(0, sum);
      if (by_call) {
        promise.call_async(last_core(), [] { return 3; });
      } else {
        promise.fill(3);
      }
      sum += promise.get();
    });
    EXPECT_EQ(63, sum);
  }
}

TEST(Promise, IsReusable) {
  Promise<int64_t> promise;
  for (int64_t k = 0; k < 50; ++k) {
    promise.call_async(static_cast<Core>(k % cores()), [k] { return k; });
    EXPECT_EQ(k, promise.get());
  }
}

TEST(Promise, NeedNotBeRead) {
  static int64_t ran = 0;
  delegate::call(last_core(), [] { ran = 0; });
  finish([] {
    for (int k = 0; k < 50; ++k) {
      Promise<int64_t> promise;
      promise.call_async(last_core(), [] { return ++ran; });
    }
  });
  EXPECT_EQ(50, delegate::call(last_core(), [] { return ran; }));
}

TEST(Promise, ManyArePendingAtTheSameTime) {
  on_all_cores([] {
    forall_here(0, 200, [](int64_t k) {
      Promise<int64_t> promises[4];
      for (Core n = 0; n < 4; ++n) {
        promises[n].call_async(static_cast<Core>((k + n) % cores()), [k, n] { return 4 * k + n; });
      }
      for (int64_t n = 0; n < 4; ++n) EXPECT_EQ(4 * k + n, promises[n].get());
    });
  });
}

TEST(Promise, ReturnsTheConvertedResultOfASuspendedCall) {
  on_all_cores([] {
    for (const Core core : some_cores()) {
      Promise<double> first;
      delegate::Promise<Triple> second;
      first.call_async(core, [] { return mycore(); });  // converts the result
      second.call_async(core, [] {
        yield();
        return Triple{mycore(), 1, 2};
      });
      EXPECT_EQ((Triple{core, 1, 2}), second.get());
      EXPECT_EQ(static_cast<double>(core), first.get());
      EXPECT_EQ(static_cast<double>(core), first.get());
    }
  });
}

TEST(Promise, WakesAllTasksThatWaitForAFill) {
  on_all_cores([] {
    Promise<int64_t> promise;
    int64_t seen = 0;
    finish([&promise, &seen] {
      for (int k = 0; k < 3; ++k) spawn([&promise, &seen] { seen += promise.get(); });
      yield();
      EXPECT_EQ(0, seen);
      promise.fill(7);
    });
    EXPECT_EQ(21, seen);
    EXPECT_EQ(7, promise.get());
  });
}

}  // namespace
