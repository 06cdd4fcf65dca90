#include "bench/harness/pairs.hpp"

#include <gtest/gtest.h>

namespace bench { namespace {

const Question kQuestion = {"id", "something", "ns", "something else"};

// Returns a body that returns these values, one after another.
Body series(std::vector<double> values) {
  size_t next = 0;
  return [values, next]() mutable { return Measurement(values.at(next++)); };
}

Body constant(double value) {
  return [value] { return Measurement(value); };
}

PairOptions with_ping_pong(std::vector<double> times) {
  size_t next = 0;
  PairOptions options;
  options.ping_pong = [times, next]() mutable { return times.at(next++); };
  return options;
}

TEST(Pairs, RunSubjectAndBaselineAlternately) {
  std::string order;
  const auto body = [&order](char name) {
    return [&order, name] {
      order += name;
      return Measurement(1);
    };
  };
  measure_pairs(kQuestion, body('A'), body('B'), 3, PairOptions());
  EXPECT_EQ(order, "ABABAB");
}

TEST(Pairs, GiveTheRatioOfTheMedians) {
  // The pairs have the ratios 1, 10 and 3, whose median differs from the ratio of the medians.
  const Figure figure =
      measure_pairs(kQuestion, series({1, 20, 30}), series({1, 2, 10}), 3, PairOptions());
  EXPECT_EQ(figure.value, 20);
  EXPECT_EQ(figure.baseline_value, 2);
  EXPECT_EQ(figure.ratio, 10);
}

TEST(Pairs, HaveTheQuartilesOfTheirRatiosAsSpread) {
  const Figure figure =
      measure_pairs(kQuestion, series({8, 2, 4, 6, 10}), constant(2), 5, PairOptions());
  EXPECT_EQ(figure.spread.low, 2);
  EXPECT_EQ(figure.spread.high, 4);
  EXPECT_EQ(figure.value_spread.low, 4);
  EXPECT_EQ(figure.value_spread.high, 8);
}

TEST(Pairs, DivideBaselineByValueOnRequest) {
  PairOptions options;
  options.ratio = Ratio::BaselineOverValue;
  const Figure figure = measure_pairs(kQuestion, series({1, 2, 4}), constant(8), 3, options);
  EXPECT_EQ(figure.ratio, 4);
  EXPECT_EQ(figure.spread.low, 3);
  EXPECT_EQ(figure.spread.high, 6);
}

TEST(Pairs, AreStoredInTheFigure) {
  const Figure figure = measure_pairs(kQuestion, series({5, 6}), series({7, 8}), 2, PairOptions());
  ASSERT_EQ(figure.repetitions.size(), 2u);
  EXPECT_EQ(figure.repetitions[1].value, 6);
  EXPECT_EQ(figure.repetitions[1].baseline_value, 8);
  EXPECT_TRUE(figure.repetitions[1].counted);
}

TEST(Pairs, AreRepeatedIfTheyStraddleAFlip) {
  const Figure figure = measure_pairs(kQuestion, series({1, 100, 2, 3, 4}), constant(1), 3,
                                      with_ping_pong({50, 60, 250, 260, 255, 250}));
  EXPECT_EQ(figure.value, 3);
  ASSERT_EQ(figure.repetitions.size(), 5u);
  EXPECT_FALSE(figure.repetitions[1].counted);
  EXPECT_EQ(figure.repetitions[1].ping_pong_before_ns, 60);
  EXPECT_EQ(figure.repetitions[1].ping_pong_after_ns, 250);
}

TEST(Pairs, CountOnlyInTheMostFrequentRegime) {
  const Figure figure = measure_pairs(kQuestion, series({100, 99, 1, 2, 3}), constant(1), 3,
                                      with_ping_pong({50, 50, 250, 260, 255, 270}));
  EXPECT_EQ(figure.repeats, 2);
  EXPECT_EQ(figure.value, 2);
  EXPECT_EQ(figure.line_ns, 257.5);
  ASSERT_EQ(figure.repetitions.size(), 5u);
  EXPECT_FALSE(figure.repetitions[0].counted);
  EXPECT_FALSE(figure.repetitions[1].counted);
  EXPECT_TRUE(figure.repetitions[4].counted);
}

TEST(Pairs, EndIfOneOfTwoAlternatingRegimesHasEnough) {
  const Figure figure = measure_pairs(kQuestion, series({7, 1, 8, 2, 9}), constant(1), 2,
                                      with_ping_pong({50, 50, 250, 250, 50, 50}));
  EXPECT_EQ(figure.repetitions.size(), 5u);
  EXPECT_EQ(figure.line_ns, 50);
  EXPECT_EQ(figure.value, 8);
}

TEST(Pairs, AreNotRepeatedForever) {
  PairOptions options = with_ping_pong({1, 9, 1, 9, 1, 9});
  options.max_repeats = 3;
  const Figure figure = measure_pairs(kQuestion, series({1, 2, 3, 4, 5}), constant(1), 2, options);
  EXPECT_EQ(figure.repetitions.size(), 5u);
  EXPECT_EQ(figure.repeats, 0) << "all pairs straddle a flip, so all are counted";
  EXPECT_EQ(figure.value, 3);
}

TEST(Pairs, EndAfterTheFirstWrongResult) {
  int runs = 0;
  const auto wrong = [&runs] {
    ++runs;
    return Measurement(4, runs < 2);
  };
  const Figure figure = measure_pairs(kQuestion, wrong, constant(2), 5, PairOptions());
  EXPECT_FALSE(figure.verified);
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(figure.ratio, 2);
}

TEST(Pairs, AreNotVerifiedWhenTheBaselineIsWrong) {
  const auto wrong = [] { return Measurement(1, false); };
  EXPECT_FALSE(measure_pairs(kQuestion, constant(1), wrong, 1, PairOptions()).verified);
}

TEST(Flip, IsAChangeByMoreThanAFactorOfTwo) {
  EXPECT_TRUE(straddles_flip(50, 101));
  EXPECT_TRUE(straddles_flip(101, 50));
  EXPECT_FALSE(straddles_flip(50, 100));
}

TEST(Flip, IsNotDetectedIfATimeIsUnknown) {
  EXPECT_FALSE(straddles_flip(0, 250));
  EXPECT_FALSE(straddles_flip(250, 0));
}

TEST(PairsDeathTest, AbortIfNothingWasMeasured) {
  EXPECT_DEATH(measure_pairs(kQuestion, constant(0), constant(1), 1, PairOptions()),
               "id measured 0");
  EXPECT_DEATH(measure_pairs(kQuestion, constant(1), constant(-1), 1, PairOptions()),
               "id measured -1");
}

TEST(PairsDeathTest, NeedABaselineWithAName) {
  EXPECT_DEATH(measure_pairs({"id", "", "ns", ""}, constant(1), constant(1), 1, PairOptions()),
               "a baseline without a name");
}

}}  // namespace bench
