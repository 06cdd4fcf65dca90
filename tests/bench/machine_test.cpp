#include "bench/harness/machine.hpp"

#include <gtest/gtest.h>

namespace bench { namespace {

TEST(Machine, IsDescribedCompletely) {
  const Machine machine = this_machine(3);
  EXPECT_NE(machine.cpu, "");
#if defined(__x86_64__)
  EXPECT_NE(machine.cpu.find("(family "), std::string::npos) << machine.cpu;
  EXPECT_NE(machine.cpu.find(", model "), std::string::npos) << machine.cpu;
#endif
  EXPECT_GT(machine.processors, 0);
  EXPECT_EQ(machine.kernel.substr(0, 6), "Linux ");
  EXPECT_GT(machine.memory_bytes, 0);
  EXPECT_NE(machine.compiler, "");
  EXPECT_NE(machine.mpi, "");
  EXPECT_EQ(machine.ranks, 3);
}

TEST(Machine, HasTheFlagsOfOurTargetsWithoutWarnings) {
  const std::string flags = " " + this_machine(1).flags;
  EXPECT_NE(flags, " ");
  EXPECT_EQ(flags.find(" -W"), std::string::npos) << flags;
#ifdef NDEBUG  // the harness is optimised; this test is not
  EXPECT_NE(flags.find(" -O"), std::string::npos) << flags;
#endif
}

}}  // namespace bench
