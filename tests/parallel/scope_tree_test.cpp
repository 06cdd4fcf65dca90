/// Measures the cost of detecting the end of a scope. One completion message acknowledges many
/// messages.

#include "system/parallel/finish_scope.hpp"

#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <algorithm>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

constexpr int64_t kDelegates = 1000000;
constexpr int64_t kFew = 1000;

GlobalCompletionEvent event;
int64_t executed = 0;  // each core has its own instance

int64_t completions() {
  return sum_all_cores([] { return static_cast<int64_t>(counted("scope.completion_messages")); });
}

/// Returns the number of completion messages that all cores send while `work` runs. The result is
/// the minimum over several runs, because a core without a processor delays other cores, and an
/// idle core sends more completion messages.
template <class F>
int64_t completions_of(F work) {
  int64_t fewest = INT64_MAX;
  for (int time = 0; time < 50 && fewest >= kFew; ++time) {
    on_all_cores([] { executed = 0; });
    const int64_t before = completions();
    work();
    fewest = std::min(fewest, completions() - before);
    EXPECT_EQ(kDelegates, sum_all_cores([] { return executed; }));
  }
  return fewest;
}

Core any_core(int64_t k) { return static_cast<Core>((k * 7919) % cores()); }

TEST(CompletionMessages, OfAMillionDelegatesOfOneCoreAreFew) {
  EXPECT_LT(completions_of([] {
              finish([] {
                for (int64_t k = 0; k < kDelegates; ++k) {
                  delegate::call<async>(any_core(k), [k] { executed += k >= 0; });
                }
              });
            }),
            kFew);
}

TEST(CompletionMessages, OfAMillionDelegatesOfAllCoresAreFew) {
  EXPECT_LT(completions_of([] {
              forall(0, kDelegates, [](int64_t k) {
                delegate::call<async>(any_core(k), [k] { executed += k >= 0; });
              });
            }),
            kFew);
}

TEST(CompletionMessages, OfAMillionDelegatesOfAnEventAreFew) {
  EXPECT_LT(completions_of([] {
              on_all_cores([] {
                const int64_t n = kDelegates / cores() + (mycore() < kDelegates % cores() ? 1 : 0);
                finish<&event>([n] {
                  for (int64_t k = 0; k < n; ++k) {
                    delegate::call<async>(any_core(k), [k] { executed += k >= 0; });
                  }
                });
              });
            }),
            kFew);
}

}  // namespace
