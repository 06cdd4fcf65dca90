/// These tests use a virtual clock that does not advance, so timed accesses take 0 ns.

#include "system/global/local_access.hpp"

#include "system/global/delegate.hpp"
#include "system/observe/clock.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t word = 0;

/// Makes an access in the same way as a delegate. Returns true if the access is plain.
bool access(LocalAccess* accesses) {
  const bool plain = accesses->plain();
  if (!plain) accesses->prepare(&word);
  return plain;
}

int prepared_among(LocalAccess* accesses, int n) {
  int prepared = 0;
  for (int k = 0; k < n; ++k) prepared += access(accesses) ? 0 : 1;
  return prepared;
}

void make_slow(LocalAccess* accesses) {
  for (int k = 0; k < 64; ++k) accesses->add_sample(200);
}

TEST(LocalAccess, TimesOneOf256Accesses) {
  VirtualClock clock;
  LocalAccess accesses;
  EXPECT_EQ(0, prepared_among(&accesses, 255));
  EXPECT_EQ(1, prepared_among(&accesses, 1));
  EXPECT_EQ(10, prepared_among(&accesses, 2560));
  EXPECT_FALSE(accesses.slow());
}

TEST(LocalAccess, IsSlowIfTheMeanOfRecentSamplesIs) {
  LocalAccess accesses;
  for (int k = 0; k < 100; ++k) accesses.add_sample(60);
  EXPECT_FALSE(accesses.slow());
  for (int k = 0; k < 100; ++k) accesses.add_sample(100);
  EXPECT_TRUE(accesses.slow());
  for (int k = 0; k < 100; ++k) accesses.add_sample(10);
  EXPECT_FALSE(accesses.slow());
}

TEST(LocalAccess, IgnoresOneVeryLongSample) {
  LocalAccess accesses;
  for (int k = 0; k < 100; ++k) accesses.add_sample(20);
  accesses.add_sample(1000000000);
  EXPECT_FALSE(accesses.slow()) << "the sample is due to preemption";
}

TEST(LocalAccess, PreparesEachAccessWhileMemoryIsSlow) {
  VirtualClock clock;
  LocalAccess accesses;
  make_slow(&accesses);
  run_tasks([&accesses] {
    prepared_among(&accesses, 256);  // the last of these accesses is timed
    EXPECT_TRUE(accesses.slow());
    EXPECT_EQ(255, prepared_among(&accesses, 255));
    EXPECT_TRUE(accesses.slow());
  });
}

TEST(LocalAccess, DetectsThatMemoryIsFastAgain) {
  VirtualClock clock;
  LocalAccess accesses;
  make_slow(&accesses);
  run_tasks([&accesses] {
    int rounds = 0;
    while (accesses.slow() && ++rounds < 100) prepared_among(&accesses, 256);
    EXPECT_GT(rounds, 10) << "the mean decides";
    EXPECT_LT(rounds, 100) << "one of 256 accesses is timed while memory is slow";
    prepared_among(&accesses, 256);
    EXPECT_EQ(10, prepared_among(&accesses, 2560));
  });
}

TEST(LocalAccess, YieldsWhileTheWordIsPrefetched) {
  VirtualClock clock;
  LocalAccess accesses;
  make_slow(&accesses);
  run_tasks([&accesses] {
    prepared_among(&accesses, 256);
    int others = 0;
    WaitQueue<> gate;
    spawn_behind(&gate, 3, [&others](int) { ++others; });
    gate.wake_all();
    const Gain yields("global.local_yields");
    access(&accesses);
    EXPECT_EQ(1u, yields.value());
    EXPECT_GT(others, 0);
  });
}

TEST(LocalAccess, PreparesAccessesOfTasksThatRunMeanwhile) {
  VirtualClock clock;
  LocalAccess accesses;
  make_slow(&accesses);
  run_tasks([&accesses] {
    prepared_among(&accesses, 256);
    int prepared = 0;
    WaitQueue<> gate;
    spawn_behind(&gate, 8, [&](int) { prepared += prepared_among(&accesses, 20); });
    gate.wake_all();
    prepared += prepared_among(&accesses, 40);
    while (scheduler().ready_workers() != 0) yield();
    EXPECT_TRUE(accesses.slow());
    EXPECT_EQ(8 * 20 + 40, prepared);
  });
}

TEST(LocalAccess, SuspendsOnlyTasks) {
  VirtualClock clock;
  LocalAccess accesses;
  make_slow(&accesses);
  const Gain yields("global.local_yields");
  TaskRunner runner;
  prepared_among(&accesses, 256);
  EXPECT_EQ(100, prepared_among(&accesses, 100)) << "on the root stack";
  runner.run([&accesses] {
    int others = 0;
    WaitQueue<> gate;
    spawn_behind(&gate, 3, [&others](int) { ++others; });
    gate.wake_all();
    scheduler().set_in_handler(true);
    EXPECT_EQ(100, prepared_among(&accesses, 100));
    EXPECT_EQ(0, others) << "a handler does not yield";
    scheduler().set_in_handler(false);
    yield();
  });
  EXPECT_EQ(0u, yields.value());
}

}  // namespace
