/// Measures the cost of detecting the end of a scope. One completion message acknowledges many
/// messages.

#include "system/parallel/finish_scope.hpp"

#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

constexpr int64_t kDelegates = 1000000;

GlobalCompletionEvent event;
int64_t executed = 0;  // each core has its own instance

/// Returns the sum of a counter over all cores.
int64_t total(const char* counter) {
  return sum_all_cores([counter] { return static_cast<int64_t>(counted(counter)); });
}

/// Runs `work`, which executes `kDelegates` calls, and expects few completion messages. A core that
/// waits for another core sends buffers that are not full, so the number of runs depends on how the
/// cores share the processors. But a completion message acknowledges at least one run.
template <class F>
void expect_few_completions(F work) {
  on_all_cores([] { executed = 0; });
  const int64_t completions = total("scope.completion_messages");
  const int64_t runs = total("message.runs");
  work();
  const int64_t more_runs = total("message.runs") - runs;
  EXPECT_LT(total("scope.completion_messages") - completions, more_runs);
  EXPECT_LT(more_runs, kDelegates / 100);
  EXPECT_EQ(kDelegates, sum_all_cores([] { return executed; }));
}

Core any_core(int64_t k) { return static_cast<Core>((k * 7919) % cores()); }

TEST(CompletionMessages, OfAMillionDelegatesOfOneCoreAreFew) {
  expect_few_completions([] {
    finish([] {
      for (int64_t k = 0; k < kDelegates; ++k) {
        delegate::call<async>(any_core(k), [k] { executed += k >= 0; });
      }
    });
  });
}

TEST(CompletionMessages, OfAMillionDelegatesOfAllCoresAreFew) {
  expect_few_completions([] {
    forall(0, kDelegates,
           [](int64_t k) { delegate::call<async>(any_core(k), [k] { executed += k >= 0; }); });
  });
}

TEST(CompletionMessages, OfAMillionDelegatesOfAnEventAreFew) {
  expect_few_completions([] {
    on_all_cores([] {
      const int64_t n = kDelegates / cores() + (mycore() < kDelegates % cores() ? 1 : 0);
      finish<&event>([n] {
        for (int64_t k = 0; k < n; ++k) {
          delegate::call<async>(any_core(k), [k] { executed += k >= 0; });
        }
      });
    });
  });
}

}  // namespace
