#include "system/compat/fetch_add_combiner.hpp"

#include "system/net/transport.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

typedef FetchAddCombiner<int64_t, int64_t> Combiner;

// During a test, each core has one combiner.
Combiner* combiner = nullptr;

void make_combiners(GlobalAddress<int64_t> target, int64_t threshold) {
  on_all_cores([target, threshold] { combiner = new Combiner(target, threshold, 0); });
}

void destroy_combiners() {
  on_all_cores([] { delete combiner; });
}

TEST(FetchAddCombiner, ReturnsTheOldValueLikeFetchAndAdd) {
  auto word = global_alloc<int64_t>(1);
  for (Core core = 0; core < cores(); ++core) {
    delegate::write(word, 5);
    delegate::call(core, [word] {
      delegate::FetchAddCombiner<int64_t, int> alone(word, 100);
      EXPECT_EQ(5, alone.fetch_and_add(3));
      EXPECT_EQ(8, alone.fetch_and_add(-2));
      EXPECT_EQ(6, alone.fetch_and_add(0));
    });
    EXPECT_EQ(6, delegate::read(word));
  }
  global_free(word);
}

TEST(FetchAddCombiner, AddsFloatingPointNumbers) {
  auto word = global_alloc<double>(1);
  delegate::write(word, 0.5);
  on_all_cores([word] {
    FetchAddCombiner<double, double> mine(word, 100);
    forall_here(0, 4, [&mine](int64_t) { mine.fetch_and_add(0.25); });
  });
  EXPECT_EQ(0.5 + static_cast<double>(cores()), delegate::read(word));
  global_free(word);
}

/// Starts thousands of tasks on each core. Each task takes a range of 1 to 4 numbers.
void take_ranges(int64_t threshold, bool promises) {
  const int64_t per_core = 3000, all = 3 * 4 * per_core * cores();
  auto word = global_alloc<int64_t>(1);
  auto taken = global_alloc<int64_t>(all);
  delegate::write(word, 0);
  Grappa::memset(taken, 0, all);
  make_combiners(word, threshold);
  on_all_cores([=] {
    forall_here(0, per_core, [=](int64_t k) {
      const int64_t wanted = 1 + k % 4;
      if (promises) combiner->promise();
      if (k % 7 == 0) yield();
      const int64_t first = combiner->fetch_and_add(wanted);
      for (int64_t n = first; n < first + wanted; ++n) delegate::increment<async>(taken + n, 1);
    });
  });
  const int64_t sum = cores() * per_core / 4 * (1 + 2 + 3 + 4);
  EXPECT_EQ(sum, delegate::read(word));
  forall(taken, all, [sum](int64_t i, int64_t& times) { EXPECT_EQ(i < sum ? 1 : 0, times) << i; });
  destroy_combiners();
  global_free(word);
  global_free(taken);
}

TEST(FetchAddCombiner, ReturnsDisjointRanges) {
  for (const int64_t threshold : {1, 2, 10, 1000000}) take_ranges(threshold, false);
}

TEST(FetchAddCombiner, ReturnsDisjointRangesAfterPromises) {
  for (const int64_t threshold : {1, 2, 10, 1000000}) take_ranges(threshold, true);
}

TEST(FetchAddCombiner, DoesNotWaitForBrokenPromises) {
  auto word = global_alloc<int64_t>(1);
  delegate::write(word, 0);
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [word] {
      Combiner mine(word, 100, 0);
      for (int k = 0; k < 50; ++k) mine.promise();
      mine.fetch_and_add(1);
    });
  }
  EXPECT_EQ(cores(), delegate::read(word));
  global_free(word);
}

TEST(FetchAddCombiner, SendsFarFewerMessagesThanAdditions) {
  if (cores() == 1) return;
  static int64_t word = 0;
  const auto target = make_global(&word);
  word = 0;
  delegate::call(static_cast<Core>(cores() - 1), [target] {
    Combiner mine(target, 1 << 20, 0);
    const Gain additions("global.combined_additions"), batches("global.combined_batches");
    finish([&] {
      for (int k = 0; k < 2000; ++k) spawn([&] { mine.fetch_and_add(1); });
    });
    EXPECT_EQ(2000u, additions.value());
    EXPECT_GE(batches.value(), 2u) << "the first task did not wait";
    const int64_t at_a_time = std::min<int64_t>(scheduler().options().num_workers, 2000);
    EXPECT_LE(batches.value(), 100u + 4u * (2000u / static_cast<uint64_t>(at_a_time)));
  });
  EXPECT_EQ(2000, word);
}

TEST(FetchAddCombiner, SendsABatchAtTheThreshold) {
  if (cores() == 1) return;
  static int64_t word = 0;
  const auto target = make_global(&word);
  word = 0;
  delegate::call(static_cast<Core>(cores() - 1), [target] {
    if (scheduler().options().num_workers < 10) return;
    Combiner mine(target, 3, 0);
    const Gain batches("global.combined_batches");
    finish([&] {
      for (int k = 0; k < 10; ++k) spawn([&] { mine.fetch_and_add(1); });
    });
    EXPECT_GE(batches.value(), 4u) << "1 + 3 + 3 + 3 additions before the first batch returns";
  });
}

TEST(FetchAddCombiner, SendsNoMessageForAWordOfThisCore) {
  int64_t word = 0;
  Combiner mine(make_global(&word), 10, 0);
  const uint64_t sent = transport().buffers_sent();
  for (int k = 0; k < 100; ++k) EXPECT_EQ(k, mine.fetch_and_add(1));
  EXPECT_EQ(sent, transport().buffers_sent());
}

}  // namespace
