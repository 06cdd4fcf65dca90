/// Tests of loops whose iterations may be stolen by idle cores.

#include "system/parallel/steal.hpp"

#include "system/parallel/options.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t calls = 0;            // each core has its own instance
int64_t calls_elsewhere = 0;  // used on core 0: number of iterations that other cores have run

void reset() {
  on_all_cores([] { calls = calls_elsewhere = 0; });
}
int64_t all_calls() {
  return sum_all_cores([] { return calls; });
}

uint64_t stolen_everywhere() {
  return sum_all_cores([] { return counted("steal.tasks"); });
}

TEST(UnboundLoop, RunsEachIndexOnce) {
  for (const int64_t n : {0, 1, 2, 3, 7, 100, 4321}) {
    auto visits = global_alloc<int64_t>(static_cast<size_t>(n) + 1);
    Grappa::memset(visits, 0, n);
    forall_here<unbound, 1>(0, n, [=](int64_t i) { delegate::increment<async>(visits + i, 1); });
    forall<unbound>(0, n, [=](int64_t i) { delegate::increment<async>(visits + i, 1); });
    forall<unbound, 3>(0, n, [=](int64_t first, int64_t count) {
      for (int64_t i = first; i < first + count; ++i) delegate::increment<async>(visits + i, 1);
    });
    forall(visits, n, [](int64_t& times) { EXPECT_EQ(3, times); });
    global_free(visits);
  }
}

TEST(UnboundLoop, RunsItsRangeInOrderIfNoCoreSteals) {
  on_all_cores([] { parallel_options().steal = false; });
  static std::vector<int64_t> order;
  order.clear();
  forall_here<unbound, 4>(100, 1000, [](int64_t i) { order.push_back(i); });
  ASSERT_EQ(1000u, order.size());
  for (size_t k = 0; k < order.size(); ++k) EXPECT_EQ(100 + static_cast<int64_t>(k), order[k]);
  on_all_cores([] { parallel_options().steal = true; });
}

TEST(UnboundLoop, QueuesAtMostOneTaskPerDoubling) {
  on_all_cores([] { parallel_options().steal = false; });
  static size_t most;
  most = 0;
  forall_here<unbound, 1>(0, 1 << 12,
                          [](int64_t) { most = std::max(most, scheduler().tasks().stealable()); });
  EXPECT_EQ(12u, most);
  on_all_cores([] { parallel_options().steal = true; });
}

/// All iterations are queued on core 0. An iteration that runs on core 0 waits until the other
/// cores have run some iterations. If no core stole iterations, the test would not end.
TEST(UnboundLoop, ThatIsSkewedIsBalanced) {
  reset();
  const int64_t others = cores() - 1;
  const uint64_t before = stolen_everywhere();
  forall_here<unbound, 1>(0, 2000, [others](int64_t) {
    ++calls;
    if (mycore() == 0) {
      while (calls_elsewhere < 10 * others) yield();
    } else {
      delegate::call(0, [] { ++calls_elsewhere; });
    }
  });
  EXPECT_EQ(2000, all_calls());
  EXPECT_EQ(2000 - calls, calls_elsewhere);
  EXPECT_GE(calls_elsewhere, 10 * others);
  if (cores() > 1) {
    EXPECT_GT(stolen_everywhere(), before);
  }
}

/// This test is similar to the preceding test, but the loop runs on all cores. Only the iterations
/// of core 0 have work.
TEST(UnboundLoop, OverAllCoresIsBalanced) {
  reset();
  const int64_t n = 1000 * cores();
  forall<unbound, 1>(0, n, [](int64_t i) {
    if (i >= 1000) return;
    ++calls;
    if (mycore() == 0) {
      while (calls_elsewhere < 10 * (cores() - 1)) yield();
    } else {
      delegate::call(0, [] { ++calls_elsewhere; });
    }
  });
  EXPECT_EQ(1000, all_calls());
}

TEST(BoundLoop, IsNotStolen) {
  reset();
  const uint64_t before = stolen_everywhere();
  forall_here<1>(0, 2000, [](int64_t) {
    yield();
    ++calls;
  });
  EXPECT_EQ(2000, calls);
  EXPECT_EQ(before, stolen_everywhere());
}

TEST(UnboundLoop, OverAnArrayRunsAtTheOwners) {
  auto array = global_alloc<int64_t>(5000);
  forall(array, 5000, [](int64_t& element) { element = -1; });
  forall<unbound, 1>(array, 5000, [array](int64_t i, int64_t& element) {
    EXPECT_EQ(mycore(), (array + i).core());
    EXPECT_EQ((array + i).pointer(), &element);
    yield();
    element = i;
  });
  forall(array, 5000, [](int64_t i, int64_t& element) { EXPECT_EQ(i, element); });
  global_free(array);
}

TEST(UnboundLoop, WaitsForWhatItsStolenIterationsStart) {
  reset();
  finish([] {
    forall_here<unbound, async, 1>(0, 500, [](int64_t) {
      yield();
      spawn([] {
        yield();
        delegate::call<async>(0, [] { ++calls_elsewhere; });
      });
    });
  });
  EXPECT_EQ(500, calls_elsewhere);
}

/// Each iteration starts another loop, as in a tree search. Only the enclosing scope waits for the
/// loops.
void visit(int64_t depth) {
  ++calls;
  if (depth == 0) return;
  forall_here<unbound, async>(0, 3, [depth](int64_t) { visit(depth - 1); });
}

TEST(UnboundLoop, MayStartItselfAgain) {
  reset();
  finish([] { visit(4); });
  EXPECT_EQ(1 + 3 + 9 + 27 + 81, all_calls());
}

}  // namespace
