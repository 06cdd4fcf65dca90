/// What collectives send. Runs with --steal=false, so that cores send nothing of their own accord,
/// and what a core counts between two collectives is theirs alone.

#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr uint64_t kTimes = 50;

/// log2, rounded up.
uint64_t levels(int n) {
  uint64_t levels = 0;
  for (int reached = 1; reached < n; reached *= 2) ++levels;
  return levels;
}

// One of each on each core.
uint64_t contributions_before = 0;
uint64_t results_before = 0;
bool stop = false;
std::vector<char> bytes;

/// A collective, `body()`, that is called by all cores sends so many messages for each other core
/// up and down, each at once, and nobody gets too many.
template <class F>
void expect_messages(uint64_t each_core, F body) {
  on_all_cores([] {
    contributions_before = counted("collective.contributions");
    results_before = counted("collective.results");
  });
  const bool alone = cores() == 1;
  const uint64_t others = static_cast<uint64_t>(cores()) - 1;
  const uint64_t sent_by_all = sum_all_cores([body, alone]() mutable {
    barrier();  // what has started the tasks has been sent
    const Gain sent("message.messages"), aged("message.flushed_aged");
    for (uint64_t k = 0; k < kTimes; ++k) body();
    EXPECT_TRUE(alone || aged.value() == 0) << "the others waited";
    const uint64_t mine = sent.value();
    barrier();  // nobody sends anything else until all have counted
    return mine;
  });
  EXPECT_EQ((alone ? 1 : 2 * others) * each_core * kTimes, sent_by_all);
  const uint64_t rounds = each_core * kTimes + 2;  // with those two barriers
  EXPECT_EQ(others * rounds, sum_all_cores([] {
              return counted("collective.contributions") - contributions_before;
            }));
  on_all_cores([rounds, alone] {
    const uint64_t up = counted("collective.contributions") - contributions_before;
    const uint64_t down = counted("collective.results") - results_before;
    EXPECT_EQ(mycore() == 0 && !alone ? 0 : rounds, down);
    const uint64_t most = static_cast<uint64_t>(locale_cores()) - 1 + levels(locales());
    EXPECT_LE(up, locale_mycore() == 0 ? most * rounds : 0) << "no star";
  });
}

TEST(CollectiveMessages, AreOneUpAndOneDownForEachOtherCore) {
  expect_messages(1, [] { barrier(); });
  expect_messages(1, [] { allreduce<int64_t, collective_add>(mycore()); });
  expect_messages(1, [] { broadcast(mycore(), static_cast<Core>(cores() - 1)); });
  expect_messages(1, [] { allgather(mycore()); });
}

TEST(CollectiveMessages, AreSoManyForEachPieceOfAnArray) {
  on_all_cores([] { bytes.assign(3 * 8 * KiB + 1, 'x'); });
  expect_messages(4, [] { allreduce_inplace<char, collective_max>(bytes.data(), bytes.size()); });
  expect_messages(1, [] { allreduce_inplace<char, collective_max>(bytes.data(), 0); });
}

TEST(CollectiveMessages, LeaveAtOnceThoughOtherTasksAreReady) {
  on_all_cores([] { stop = false; });
  finish([] {
    for (int core = 0; core < cores(); ++core) {
      delegate::call<async>(static_cast<Core>(core), [] {
        spawn([] {
          while (!stop) yield();
        });
      });
    }
    expect_messages(1, [] { barrier(); });
    on_all_cores([] { stop = true; });
  });
}

}  // namespace
