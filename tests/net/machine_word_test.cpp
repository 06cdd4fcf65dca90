#include "system/net/world.hpp"

#include "tests/harness/in_step.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

// In these tests, all cores of the job are on one machine.

TEST(MachineWord, IsInitiallyZero) {
  const std::atomic<uint32_t>* word = detail::world().failure_word();
  ASSERT_NE(word, nullptr);
  EXPECT_EQ(word->load(), 0u);
  detail::world().barrier();
}

TEST(MachineWord, IsTheSameForAllCoresOfTheMachine) {
  std::atomic<uint32_t>* word = detail::world().failure_word();
  for (int k = 0; k < 1000; ++k) word->fetch_add(1);
  detail::world().barrier();
  EXPECT_EQ(word->load(), 1000u * static_cast<uint32_t>(cores()));
  detail::world().barrier();
}

TEST(MachineWord, IsSharedAcrossSimulatedLocales) {
  detail::the_topology = detail::world().discover_topology(1);
  std::atomic<uint32_t>* word = detail::world().failure_word();
  word->fetch_add(1);
  detail::world().barrier();
  EXPECT_EQ(word->load(), static_cast<uint32_t>(cores()));
  detail::world().barrier();
  detail::the_topology = detail::world().discover_topology(0);
}

TEST(MachineWord, IsClaimedByOneCoreOnly) {
  std::atomic<uint32_t>* word = detail::world().failure_word();
  uint32_t free = 0;
  uint64_t won = word->compare_exchange_strong(free, 1) ? 1 : 0;
  detail::world().begin_sum(&won, 1);  // the destructor waits for the sum
  EXPECT_EQ(won, 1u);
}

}  // namespace
}  // namespace Grappa
