/// These tests violate each assertion of the combiner that a caller can violate. Builds that check
/// invariants (debug, sanitized) run all of these tests. Other builds run only the tests of
/// GRAPPA_CHECK. tests/structures/flat_combiner_test.cpp tests commits.

#include "structures/flat_combiner.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

/// The way in which a proxy violates the contract of the combiner.
enum class Misuse { None, ConstructorSuspends, IsFullSuspends };

int constructed = 0;  // number of proxies whose constructor suspends

class TestProxy : public FCProxy {
 public:
  explicit TestProxy(Misuse misuse) : misuse_(misuse) {
    if (misuse == Misuse::ConstructorSuspends && constructed++ == 0) let_others_run();
  }
  void request() {
    ++requests_;
    wait();
  }
  void request_async() {
    ++requests_;
    complete_in_scope();
  }
  void match() { wake_last(); }
  void sync() override {}
  bool is_full() const override {
    if (misuse_ != Misuse::IsFullSuspends) return FCProxy::is_full();
    let_others_run();
    return true;
  }

 private:
  static void let_others_run() {
    for (int k = 0; k < 1000; ++k) yield();
  }

  const Misuse misuse_;
  int64_t requests_ = 0;
};

typedef FlatCombiner<TestProxy> TestCombiner;

TEST(CombinerDeathTest, LetsOnlyTasksWait) {
  TaskRunner runner;
  TestCombiner combiner(Misuse::None);
  EXPECT_DEATH(combiner->request(), "this call waits, and only a task can wait");
}

TEST(CombinerDeathTest, RefusesRequestsToAProxyWhoseCommitHasStarted) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    TestCombiner combiner(Misuse::None);
    const auto& proxy = combiner.operator->();
    combiner->request();
    proxy->request();
  }),
               "a request was made to a proxy whose commit has started");
}

TEST(CombinerDeathTest, OutlivesItsRequests) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    TestCombiner combiner(Misuse::None);
    spawn([&combiner] { combiner->request(); });
    spawn([&combiner] { combiner.~TestCombiner(); });
    for (;;) yield();
  }),
               "destroyed while operations on it were in progress");
}

#ifndef NDEBUG

TEST(CombinerDeathTest, MatchesRequestsThatWait) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    TestCombiner combiner(Misuse::None);
    combiner->match();
  }),
               "wake_last without a request");
}

TEST(CombinerDeathTest, TakesRequestsThroughHandles) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    TestCombiner combiner(Misuse::None);
    TestProxy* const stored = combiner.operator->().operator->();
    stored->request();
  }),
               "a request through a stored pointer to a proxy");
}

TEST(CombinerDeathTest, OpensOneProxyAtATime) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    TestCombiner combiner(Misuse::ConstructorSuspends);
    spawn([&combiner] { combiner->request(); });
    while (constructed == 0) yield();
    combiner.combine([](TestProxy&) {});
    for (;;) yield();
  }),
               "the constructor of a proxy suspended");
}

TEST(CombinerDeathTest, CommitsAProxyOnce) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    TestCombiner combiner(Misuse::IsFullSuspends);
    for (int k = 0; k < 2; ++k) spawn([&combiner] { combiner->request_async(); });
    for (;;) yield();
  }),
               "is in state 2, not 0");
}

TEST(CombinerDeathTest, CountsTheUsersOfAProxy) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    Combiner combiner(sizeof(TestProxy), alignof(TestProxy),
                      [](void* storage) { return new (storage) TestProxy(Misuse::None); });
    FCProxy* const proxy = combiner.open_proxy();
    Combiner::enter(proxy);
    Combiner::leave(proxy);
    Combiner::leave(proxy);
  }),
               "a proxy is left more often than entered");
}

#endif

}  // namespace
}  // namespace Grappa
