/// Counts the messages that collectives send. The job runs with --steal=false, so cores send no
/// other messages, and all messages that a core counts between two collectives belong to the
/// collectives.

#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr uint64_t kTimes = 50;

/// Returns log2(n), rounded up.
uint64_t levels(int n) {
  uint64_t levels = 0;
  for (int reached = 1; reached < n; reached *= 2) ++levels;
  return levels;
}

// Each core has its own instances.
uint64_t contributions_before = 0;
uint64_t results_before = 0;
bool stop = false;
std::vector<char> bytes;

/// `body()` calls a collective, and all cores run `body()`. For each core except core 0, the
/// collective must send `each_core` messages up the tree and `each_core` messages down the tree. No
/// message may wait until it is aged, and no core may receive too many messages.
template <class F>
void expect_messages(uint64_t each_core, F body) {
  on_all_cores([] {
    contributions_before = counted("collective.contributions");
    results_before = counted("collective.results");
  });
  const bool alone = cores() == 1;
  const uint64_t others = static_cast<uint64_t>(cores()) - 1;
  const uint64_t sent_by_all = sum_all_cores([body, alone]() mutable {
    barrier();  // the messages that started the tasks have been sent
    const Gain sent("message.messages"), aged("message.flushed_aged");
    for (uint64_t k = 0; k < kTimes; ++k) body();
    EXPECT_TRUE(alone || aged.value() == 0) << "messages were sent late";
    const uint64_t mine = sent.value();
    barrier();  // until all cores have counted, no core sends other messages
    return mine;
  });
  EXPECT_EQ((alone ? 1 : 2 * others) * each_core * kTimes, sent_by_all);
  const uint64_t rounds = each_core * kTimes + 2;  // includes the two barriers
  EXPECT_EQ(others * rounds, sum_all_cores([] {
              return counted("collective.contributions") - contributions_before;
            }));
  on_all_cores([rounds, alone] {
    const uint64_t up = counted("collective.contributions") - contributions_before;
    const uint64_t down = counted("collective.results") - results_before;
    EXPECT_EQ(mycore() == 0 && !alone ? 0 : rounds, down);
    const uint64_t most = static_cast<uint64_t>(locale_cores()) - 1 + levels(locales());
    EXPECT_LE(up, locale_mycore() == 0 ? most * rounds : 0) << "a star instead of a tree";
  });
}

TEST(CollectiveMessages, AreOneUpAndOneDownForEachOtherCore) {
  expect_messages(1, [] { barrier(); });
  expect_messages(1, [] { allreduce<int64_t, collective_add>(mycore()); });
  expect_messages(1, [] { broadcast(mycore(), static_cast<Core>(cores() - 1)); });
  expect_messages(1, [] { allgather(mycore()); });
}

TEST(CollectiveMessages, AreTwoForEachPieceOfAnArray) {
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
