/// Reference section "Loops": template arguments of loops.

#include <Grappa.hpp>
#include <algorithm>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

GlobalCompletionEvent gce, other;

int64_t calls = 0;    // iterations, on each core
int64_t longest = 0;  // the longest range of a body call, on each core
FullEmpty<int64_t> gate;

void begin() {
  on_all_cores([] { calls = longest = 0; });
}
int64_t all_calls() {
  return sum_all_cores([] { return calls; });
}
/// Loop bodies of all forms.
struct Index {
  void operator()(int64_t) { ++calls; }
};
struct Range {
  void operator()(int64_t, int64_t count) { calls += count; }
};
struct Element {
  void operator()(int64_t& word) {
    ++word;
    ++calls;
  }
};
struct IndexElement {
  void operator()(int64_t i, int64_t& word) {
    word += i;
    ++calls;
  }
};
struct Piece {
  void operator()(int64_t, int64_t count, int64_t*) { calls += count; }
};

class Arguments : public testing::Test {
 protected:
  static constexpr int64_t n = 90;
  void SetUp() override {
    words = global_alloc<int64_t>(n + 3) + 3;
    Grappa::memset(words, 0, n);
    begin();
  }
  void TearDown() override { global_free(words - 3); }

  /// Expects that loops with all forms of bodies have run once.
  void expect_all_ran() {
    EXPECT_EQ(5 * n + 2 * 20, all_calls());
    for (int64_t i = 0; i < n; i += 11) EXPECT_EQ(1 + i, delegate::read(words + i));
  }

  GlobalAddress<int64_t> words;
};
constexpr int64_t Arguments::n;

// Runs each loop with each form of body and the same template arguments.
#define RUN_ALL_LOOPS(...)                         \
  do {                                             \
    forall_here<__VA_ARGS__>(10, 20, Index());     \
    forall_here<__VA_ARGS__>(10, 20, Range());     \
    forall<__VA_ARGS__>(10, n, Index());           \
    forall<__VA_ARGS__>(10, n, Range());           \
    forall<__VA_ARGS__>(words, n, Element());      \
    forall<__VA_ARGS__>(words, n, IndexElement()); \
    forall<__VA_ARGS__>(words, n, Piece());        \
  } while (false)

// A blocking loop is complete when it returns.
#define TEST_BLOCKING(name, ...) \
  TEST_F(Arguments, name) {      \
    RUN_ALL_LOOPS(__VA_ARGS__);  \
    expect_all_ran();            \
  }
TEST_BLOCKING(Bound, bound)
TEST_BLOCKING(Unbound, unbound)
TEST_BLOCKING(TaskModeBound, TaskMode::Bound)
TEST_BLOCKING(TaskModeUnbound, TaskMode::Unbound)
TEST_BLOCKING(SyncModeBlocking, SyncMode::Blocking)
TEST_BLOCKING(Event, &gce)
TEST_BLOCKING(Threshold, 4)
TEST_BLOCKING(UnboundThreshold, unbound, 4)
TEST_BLOCKING(EventThreshold, &gce, 4)
TEST_BLOCKING(UnboundEvent, unbound, &gce)
TEST_BLOCKING(UnboundEventThreshold, unbound, &gce, 4)
TEST_BLOCKING(BoundBlockingEventThreshold, bound, blocking, &gce, 4)

// An async loop is complete when the caller's scope is complete.
#define TEST_ASYNC(name, ...)                       \
  TEST_F(Arguments, name) {                         \
    finish([this] { RUN_ALL_LOOPS(__VA_ARGS__); }); \
    expect_all_ran();                               \
  }
TEST_ASYNC(Async, async)
TEST_ASYNC(SyncModeAsync, SyncMode::Async)
TEST_ASYNC(UnboundAsync, unbound, async)
TEST_ASYNC(AsyncThreshold, async, 4)
TEST_ASYNC(UnboundAsyncThreshold, unbound, async, 4)

// An async loop with an event is complete when the event is complete.
#define TEST_ASYNC_EVENT(name, ...) \
  TEST_F(Arguments, name) {         \
    RUN_ALL_LOOPS(__VA_ARGS__);     \
    gce.wait();                     \
    expect_all_ran();               \
  }
TEST_ASYNC_EVENT(AsyncEvent, async, &gce)
TEST_ASYNC_EVENT(UnboundAsyncEvent, unbound, async, &gce)
TEST_ASYNC_EVENT(AsyncEventThreshold, async, &gce, 4)
TEST_ASYNC_EVENT(UnboundAsyncEventThreshold, unbound, async, &gce, 4)
TEST_ASYNC_EVENT(BoundAsyncEventThreshold, TaskMode::Bound, SyncMode::Async, &gce, 4)

TEST_F(Arguments, ThresholdLimitsTheIterationsOfATask) {
  forall<6>(0, n, [](int64_t, int64_t count) { longest = std::max(longest, count); });
  on_all_cores([] { EXPECT_EQ(6, longest); });
  begin();
  forall<3>(words, n, [](int64_t, int64_t count, int64_t*) {
    longest = std::max(longest, count);
    calls += count;
  });
  on_all_cores([] { EXPECT_LE(longest, 3); });
  EXPECT_EQ(n, all_calls());
}

TEST_F(Arguments, AsyncReturnsBeforeTheLoopIsComplete) {
  finish([] {
    forall<async>(0, 4 * cores(), [](int64_t) { calls += gate.readFF(); });
    forall_here<async>(0, 3, [](int64_t) { calls += gate.readFF(); });
    EXPECT_EQ(0, all_calls());
    on_all_cores([] { gate.writeEF(1); });
  });
  EXPECT_EQ(4 * cores() + 3, all_calls());
  on_all_cores([] { gate.reset(); });
}

TEST_F(Arguments, FewerIterationsThanCores) {
  for (const int64_t few : {0, 1, 2}) {
    begin();
    forall<&gce>(0, few, Index());
    forall<unbound, 1>(0, few, Index());
    forall<&gce, 1>(words, few, Element());
    forall_here<&gce, 1>(0, few, Index());
    forall<async, &gce>(0, few, Index());
    forall<async, &gce>(words, few, Element());
    gce.wait();
    EXPECT_EQ(6 * few, all_calls());
  }
}

TEST_F(Arguments, NestedLoopsOfTwoEvents) {
  forall<&gce>(0, 10, [](int64_t) {
    forall<async, &other>(0, 5, Index());
    forall<async, &gce>(0, 5, Index());
    forall(0, 5, Index());
  });
  other.wait();
  EXPECT_EQ(150, all_calls());
}

/// Recursive async loops, as in the tree search of the tutorial. The enclosing finish waits for
/// them.
void visit(int64_t depth) {
  ++calls;
  if (depth == 0) return;
  forall_here<unbound, async>(0, 3, [depth](int64_t) { visit(depth - 1); });
}

TEST_F(Arguments, AsyncLoopsRecur) {
  finish([] { visit(4); });
  EXPECT_EQ(1 + 3 + 9 + 27 + 81, all_calls());
  begin();
  finish<&gce>([] { visit(4); });
  EXPECT_EQ(1 + 3 + 9 + 27 + 81, all_calls());
}

}  // namespace
