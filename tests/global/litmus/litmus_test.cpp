/// Litmus tests run small parallel programs on the real runtime. The programs must have only
/// sequentially consistent outcomes. The tests must detect deliberately wrong variants of the
/// programs.

#include "tests/global/litmus/program.hpp"
#include "tests/global/litmus/rounds.hpp"

#include <Grappa.hpp>

#include <gtest/gtest.h>
#include <random>
#include <string>

DEFINE_int64(rounds, 0, "how often each program runs in each way; 0: as often as is quick");
DEFINE_uint64(seed, 0, "of all random choices; 0: another one each time");

DECLARE_int64(num_workers);

namespace litmus { namespace {

using Grappa::cores;

/// True if the job has too few workers for all tasks. In such a job, the tasks start nearly in
/// order, and wrong variants are detected too rarely.
bool few_workers() { return FLAGS_num_workers < 100; }

int64_t rounds() {
  if (FLAGS_rounds != 0) return FLAGS_rounds;
  return few_workers() ? 2000 : 8000;
}

uint64_t seed() {
  if (FLAGS_seed == 0) FLAGS_seed = std::random_device()();
  return FLAGS_seed;
}

struct Verdict {
  int64_t forbidden = 0;  // rounds with an outcome that is not sequentially consistent
  size_t allowed = 0;     // number of sequentially consistent outcomes
  size_t seen = 0;        // number of sequentially consistent outcomes that occurred
  std::string table;
};

Verdict judge(size_t number, Way way, uint64_t seed) {
  const Program& program = programs()[number];
  const std::set<Outcome> allowed = sequential_outcomes(program);
  Verdict verdict;
  verdict.allowed = allowed.size();
  verdict.table = program.name + " with --seed=" + std::to_string(seed) + "\n";
  for (const auto& seen : run_rounds(number, way, rounds(), seed)) {
    const bool good = allowed.count(seen.first) != 0;
    verdict.seen += good;
    if (!good) verdict.forbidden += seen.second;
    verdict.table += "  " + to_text(program, seen.first) + (good ? "  " : "  FORBIDDEN ") +
                     std::to_string(seen.second) + "\n";
  }
  return verdict;
}

/// Repeats the rounds until a forbidden outcome occurs. The number of repetitions depends on the
/// load of the machine.
void expect_seen_to_fail(size_t number, Way way) {
  constexpr uint64_t kTries = 50;
  Verdict verdict;
  for (uint64_t k = 0; k < kTries && verdict.forbidden == 0; ++k) {
    verdict = judge(number, way, seed() + k);
  }
  EXPECT_LT(0, verdict.forbidden) << verdict.table;
}

class Litmus : public testing::TestWithParam<size_t> {};

/// Expects that no forbidden outcome and at least half of the allowed outcomes occurred. If fewer
/// outcomes occurred, the threads did not overlap enough.
void expect_sequential_consistency(const Verdict& verdict) {
  EXPECT_EQ(0, verdict.forbidden) << verdict.table;
  EXPECT_LE(verdict.allowed, 2 * verdict.seen) << "too few outcomes: " << verdict.table;
}

TEST_P(Litmus, BlockingDelegatesAreSequentiallyConsistent) {
  expect_sequential_consistency(judge(GetParam(), Way::Blocking, seed()));
}

TEST_P(Litmus, FinishedAsyncDelegatesAreSequentiallyConsistent) {
  expect_sequential_consistency(judge(GetParam(), Way::FinishedAsync, seed()));
}

TEST_P(Litmus, DetectsUnorderedAccesses) {
  if (few_workers()) GTEST_SKIP() << "needs many workers";
  expect_seen_to_fail(GetParam(), Way::Unordered);
}

INSTANTIATE_TEST_SUITE_P(Programs, Litmus, testing::Range<size_t>(0, programs().size()),
                         [](const testing::TestParamInfo<size_t>& each) {
                           std::string name = programs()[each.param].name;
                           for (char& c : name) c = c == '+' ? '_' : c;
                           return name;
                         });

/// A job of two cores executes messages in the order in which they were sent. So in such a job,
/// Way::Async has a forbidden outcome only if a read overtakes a write.
void expect_seen_to_fail_without_waiting(const char* name, int fewest_cores) {
  if (cores() < fewest_cores) GTEST_SKIP() << "needs more cores";
  if (few_workers()) GTEST_SKIP() << "needs many workers";
  expect_seen_to_fail(program_named(name), Way::Async);
}

TEST(LitmusWithoutWaiting, DetectsStoreBuffering) { expect_seen_to_fail_without_waiting("SB", 2); }

TEST(LitmusWithoutWaiting, DetectsReorderedMessagePassing) {
  expect_seen_to_fail_without_waiting("MP", 3);
}

// The following tests check sequential_outcomes().

bool allows(const char* name, const std::string& outcome) {
  const Program& program = programs()[program_named(name)];
  for (const Outcome each : sequential_outcomes(program)) {
    if (to_text(program, each) == outcome) return true;
  }
  return false;
}

TEST(SequentialOutcomes, ExcludeTheForbiddenOutcomeOfEachProgram) {
  EXPECT_FALSE(allows("SB", "r0=0 r1=0"));
  EXPECT_FALSE(allows("MP", "r0=1 r1=0"));
  EXPECT_FALSE(allows("LB", "r0=1 r1=1"));
  EXPECT_FALSE(allows("S", "r0=1 x=2"));
  EXPECT_FALSE(allows("R", "r0=0 y=2"));
  EXPECT_FALSE(allows("2+2W", "x=1 y=1"));
  EXPECT_FALSE(allows("CoRR", "r0=1 r1=0"));
  EXPECT_FALSE(allows("CoRR2", "r0=1 r1=2 r2=2 r3=1 x=1"));
  EXPECT_FALSE(allows("IRIW", "r0=1 r1=0 r2=1 r3=0"));
  EXPECT_FALSE(allows("WRC", "r0=1 r1=1 r2=0"));
  EXPECT_FALSE(allows("ISA2", "r0=1 r1=1 r2=0"));
  EXPECT_FALSE(allows("MP+2", "r0=1 r1=1 r2=0"));
}

TEST(SequentialOutcomes, CoverAllInterleavings) {
  EXPECT_EQ(3u, sequential_outcomes(programs()[program_named("SB")]).size());
  EXPECT_EQ(3u, sequential_outcomes(programs()[program_named("MP")]).size());
  EXPECT_EQ(15u, sequential_outcomes(programs()[program_named("IRIW")]).size());
  EXPECT_TRUE(allows("SB", "r0=1 r1=1"));
  EXPECT_TRUE(allows("2+2W", "x=2 y=2"));
  EXPECT_TRUE(allows("CoRR2", "r0=1 r1=2 r2=1 r3=2 x=2"));
}

}}  // namespace litmus
