#include "bench/harness/probes.hpp"

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench { namespace {

TEST(PingPong, MeasuresOnTwoProcessors) {
  if (::sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
  PingPong ping_pong;
  double ns = 0;
  // On a busy processor a game may exceed its time limit.
  for (int attempt = 0; attempt < 100 && ns == 0; ++attempt) ns = ping_pong.half_round_trip_ns();
  EXPECT_GT(ns, 0);
}

TEST(PingPong, LeavesTheCallerOnItsProcessors) {
  cpu_set_t before, after;
  CPU_ZERO(&before);
  for (int k = 0; k < ::sysconf(_SC_NPROCESSORS_ONLN); ++k) CPU_SET(size_t(k), &before);
  ::sched_setaffinity(0, sizeof before, &before);  // all allowed processors
  ::sched_getaffinity(0, sizeof before, &before);
  PingPong().half_round_trip_ns();
  ::sched_getaffinity(0, sizeof after, &after);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(PingPong, LeavesNoProcessBehind) {
  { PingPong ping_pong; }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Probes, FindTheFixedLoop) {
  PingPong ping_pong;
  EXPECT_GT(probe(&ping_pong).loop_ns, 0);
}

TEST(Probes, FindStolenTimeInTheEighthField) {
  EXPECT_EQ(stolen_ticks("cpu  1 2 3 4 5 6 7 89 10 11"), 89);
}

TEST(Probes, HaveNoStolenTimeIfTheKernelReportsNone) {
  EXPECT_EQ(stolen_ticks("cpu  1 2 3 4 5 6 7"), 0);
  EXPECT_EQ(stolen_ticks("intr 1 2 3 4 5 6 7 8 9"), 0);
  EXPECT_EQ(stolen_ticks(""), 0);
}

}}  // namespace bench
