#include "bench/harness/callgrind.hpp"

#include <gtest/gtest.h>

namespace bench { namespace {

// Returns the command of a shell that counts up to n and then runs `last`.
std::function<std::vector<std::string>(int64_t)> loop(const std::string& last) {
  return [last](int64_t n) {
    return std::vector<std::string>{
        "-c", "i=0; while [ $i -lt " + std::to_string(n) + " ]; do i=$((i+1)); done; " + last};
  };
}

TEST(Callgrind, CountsTheSameInstructionsEveryTime) {
  const InstructionCount first = count_instructions("/bin/sh", loop("true"), 1000);
  ASSERT_EQ(first.problem, "");
  EXPECT_TRUE(first.verified);
  EXPECT_GT(first.instructions, 100);  // instructions of a shell for one iteration
  // Everything around the loop cancels out, except for the lengths of texts.
  EXPECT_NEAR(count_instructions("/bin/sh", loop("true"), 2000).instructions, first.instructions,
              first.instructions / 100);
}

TEST(Callgrind, SubtractsARunFromOneOfTwiceTheLength) {
  std::vector<int64_t> lengths;
  const auto nothing = [&lengths](int64_t n) {
    lengths.push_back(n);
    return std::vector<std::string>{"-c", "exit 0"};
  };
  EXPECT_EQ(count_instructions("/bin/sh", nothing, 10).problem, "");
  EXPECT_EQ(lengths, (std::vector<int64_t>{10, 20}));
}

TEST(Callgrind, ReportsAWrongResult) {
  const InstructionCount count = count_instructions("/bin/sh", loop("exit 1"), 10);
  EXPECT_EQ(count.problem, "");
  EXPECT_FALSE(count.verified);
}

TEST(Callgrind, ReportsHowTheProgramFailed) {
  const InstructionCount count = count_instructions("/bin/sh", loop("echo 'no luck'; exit 3"), 10);
  EXPECT_NE(count.problem.find("status 3"), std::string::npos) << count.problem;
  EXPECT_NE(count.problem.find("no luck"), std::string::npos) << count.problem;
}

TEST(Callgrind, SuggestsAFixForUnknownInstructions) {
  const InstructionCount count = count_instructions("/bin/sh", loop("kill -ILL $$"), 10);
  EXPECT_NE(count.problem.find("-march=native"), std::string::npos) << count.problem;
}

TEST(Callgrind, ReadsTheTotalFromItsLine) {
  EXPECT_EQ(callgrind_total("version: 1\nfn=(1) main\n3 77\ntotals: 1234\n"), 1234);
  EXPECT_EQ(callgrind_total("version: 1\nevents: Ir\n"), -1);
}

}}  // namespace bench
