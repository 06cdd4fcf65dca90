#include "bench/rounds.hpp"

#include <gtest/gtest.h>

namespace bench { namespace {

const Question kQuestion = {"id", "something", "M/s", "something else"};

// Successive jobs of A print these numbers. A job of B prints twice the number.
std::function<JobOutput()> jobs(const std::vector<int>& numbers, int status = 0) {
  size_t next = 0;
  return [numbers, status, next]() mutable {
    const int a = numbers.at(next++);
    return JobOutput(status, {"A: " + std::to_string(a) + "\n", "AB: 7\n",
                              "B: " + std::to_string(2 * a) + "\n"});
  };
}

std::function<double()> times(const std::vector<double>& values) {
  size_t next = 0;
  return [values, next]() mutable { return values.at(next++); };
}

TEST(Rounds, GiveEachFigureAPairFromTheSameJob) {
  const Rounds rounds(3, nullptr, jobs({1, 5, 2}));
  const Figure figure = rounds.figure(kQuestion, "A", "B");
  EXPECT_TRUE(figure.verified);
  EXPECT_EQ(figure.value, 2);
  EXPECT_EQ(figure.baseline_value, 4);
  EXPECT_EQ(figure.ratio, 0.5);
  EXPECT_EQ(figure.repetitions.size(), 3u);
  EXPECT_EQ(rounds.figure(kQuestion, "B", "AB").ratio, 4.0 / 7);
}

TEST(Rounds, DivideByTheUnit) {
  const Rounds rounds(1, nullptr, jobs({6}));
  EXPECT_EQ(rounds.figure(kQuestion, "A", "B", 2).value, 3);
}

TEST(Rounds, AreRepeatedIfTheRegimeChanges) {
  const Rounds rounds(2, times({50, 300, 290, 280}), jobs({1, 2, 4}));
  const Figure figure = rounds.figure(kQuestion, "A", "B");
  EXPECT_EQ(figure.repeats, 1);
  ASSERT_EQ(figure.repetitions.size(), 3u);
  EXPECT_FALSE(figure.repetitions[0].counted);
  EXPECT_EQ(figure.repetitions[0].ping_pong_before_ns, 50);
  EXPECT_EQ(figure.repetitions[2].ping_pong_after_ns, 280);
  EXPECT_EQ(figure.value, 3);
}

TEST(Rounds, CountOnlyInTheMostFrequentRegime) {
  const Rounds rounds(2, times({50, 60, 300, 290, 280}), jobs({100, 99, 2, 4}));
  const Figure figure = rounds.figure(kQuestion, "A", "B");
  EXPECT_EQ(figure.repeats, 2);
  EXPECT_EQ(figure.line_ns, 290);
  EXPECT_EQ(figure.value, 3);
}

TEST(Rounds, AreRepeatedAtMostOnceEach) {
  const Rounds rounds(2, times({50, 300, 50, 300, 50}), jobs({1, 2, 3, 4}));
  const Figure figure = rounds.figure(kQuestion, "A", "B");
  EXPECT_EQ(figure.repetitions.size(), 4u);
  EXPECT_TRUE(figure.repetitions[3].counted);
}

TEST(Rounds, EndAfterAFailedJob) {
  const Rounds rounds(3, nullptr, jobs({1}, 1));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(rounds.figure(kQuestion, "A", "B").verified);
  EXPECT_FALSE(rounds.figure(kQuestion, "AB", "B").verified);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "A: 1\nAB: 7\nB: 2\n");  // printed only once
}

TEST(Rounds, DoNotVerifyMissingNumbers) {
  const Rounds rounds(1, nullptr, jobs({1}));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(rounds.figure(kQuestion, "C", "B").verified);
  testing::internal::GetCapturedStderr();
}

}}  // namespace bench
