#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;

int64_t calls = 0;  // each core has its own instance

void reset() {
  on_all_cores([] { calls = 0; });
}

TEST(OnCoresLocalized, GivesEachOwnerItsPart) {
  auto array = global_alloc<int64_t>(1000);
  for (const int64_t n : {0, 1, 8, 9, 500, 990}) {
    reset();
    const auto base = array + 5;
    finish([base, n] {
      on_cores_localized_async(base, n, [base](int64_t* first, size_t count) {
        EXPECT_GT(count, 0u);
        EXPECT_EQ(first, base.localize());
        for (size_t k = 0; k < count; ++k) first[k] = mycore();
        calls += static_cast<int64_t>(count);
      });
    });
    EXPECT_EQ(n, sum_all_cores([] { return calls; }));
    for (int64_t i = 0; i < n; ++i) ASSERT_EQ((base + i).core(), delegate::read(base + i));
  }
  global_free(array);
}

GlobalCompletionEvent event;

TEST(OnCoresLocalized, MayBePartOfAnEvent) {
  reset();
  auto array = global_alloc<int64_t>(1000);
  on_all_cores([array] {
    on_cores_localized_async<&event>(array, 1000, [](int64_t*, size_t count) {
      yield();
      calls += static_cast<int64_t>(count);
    });
    event.wait();
  });
  EXPECT_EQ(1000 * cores(), sum_all_cores([] { return calls; }));
  global_free(array);
}

TEST(OnCoresLocalized, VisitsEachElementOnce) {
  for (const int64_t n : {0, 1, 8, 100, 500}) {
    for (const int64_t begin : {0, 17}) {
      reset();
      auto words = global_alloc<int64_t>(n + begin + 1);
      Grappa::memset(words, 0, n + begin + 1);
      on_cores_localized_async<&event>(words + begin, n, [](int64_t* first, size_t count) {
        ++calls;
        EXPECT_LT(0u, count);
        for (size_t k = 0; k < count; ++k) ++first[k];
      });
      event.wait();
      on_all_cores([] { EXPECT_LE(calls, 1); });
      forall(words, n + begin + 1, [begin, n](int64_t i, int64_t& word) {
        EXPECT_EQ(begin <= i && i < begin + n ? 1 : 0, word);
      });
      global_free(words);
    }
  }
}

}  // namespace
