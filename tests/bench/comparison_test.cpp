#include "bench/compare/comparison.hpp"

#include "tests/bench/results.hpp"

#include <gtest/gtest.h>

namespace bench { namespace {

// Returns a figure with this ratio and these quartiles.
Figure figure(double low, double ratio, double high) {
  Figure figure = figure_of("id", 2 * ratio);
  figure.spread = Spread{low, high};
  return figure;
}

Verdict judged(const Figure& a, const Figure& b) {
  return judge(result_of({a}), a, result_of({b}), b);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Comparison, FindsADifferenceBeyondBothSpreads) {
  EXPECT_EQ(judged(figure(1, 2, 3), figure(4, 5, 6)), Verdict::Worse);
  EXPECT_EQ(judged(figure(4, 5, 6), figure(1, 2, 3)), Verdict::Better);
}

TEST(Comparison, FindsNoDifferenceWithinOneSpread) {
  EXPECT_EQ(judged(figure(1, 2, 3), figure(2.5, 3, 6)), Verdict::Same);
  EXPECT_EQ(judged(figure(1, 2, 6), figure(4.9, 5, 5.1)), Verdict::Same);
  EXPECT_EQ(judged(figure(4.9, 5, 5.1), figure(1, 2, 6)), Verdict::Same);
}

TEST(Comparison, FindsNoDifferenceIfTheRatioOfTheMediansIsAnOutlier) {
  EXPECT_EQ(judged(figure(2.5, 2, 3), figure(2.5, 2.1, 3)), Verdict::Same);
  EXPECT_EQ(judged(figure(1, 4, 3), figure(1, 3.9, 3)), Verdict::Same);
}

TEST(Comparison, FindsNoDifferenceBelowOnePercent) {
  EXPECT_EQ(judged(figure(100, 100, 100), figure(100.9, 100.9, 100.9)), Verdict::Same);
  EXPECT_EQ(judged(figure(100, 100, 100), figure(101.1, 101.1, 101.1)), Verdict::Worse);
}

TEST(Comparison, UsesTheDirectionOfTheRatio) {
  Figure a = figure(1, 2, 3), b = figure(4, 5, 6);
  a.better = b.better = Better::Higher;
  EXPECT_EQ(judged(a, b), Verdict::Better);
  a.ratio_sense = b.ratio_sense = Ratio::BaselineOverValue;
  EXPECT_EQ(judged(a, b), Verdict::Worse);
}

TEST(Comparison, ComparesCountsByTheirValue) {
  const Question question = {"id", "", "1", ""};
  EXPECT_EQ(judged(count(question, 7), count(question, 7)), Verdict::Same);
  EXPECT_EQ(judged(count(question, 7000), count(question, 7001)), Verdict::Worse);
  EXPECT_EQ(judged(count(question, 8), count(question, 7)), Verdict::Better);
}

TEST(Comparison, DoesNotCompareUnverifiedFigures) {
  Figure wrong = figure(1, 2, 3);
  wrong.verified = false;
  EXPECT_EQ(judged(wrong, figure(4, 5, 6)), Verdict::NotVerified);
  EXPECT_EQ(judged(figure(4, 5, 6), wrong), Verdict::NotVerified);
}

TEST(Comparison, DoesNotCompareDifferentQuestions) {
  Figure other = figure(4, 5, 6);
  other.question.baseline = "something new";
  EXPECT_EQ(judged(figure(1, 2, 3), other), Verdict::OtherQuestion);
  other = figure(4, 5, 6);
  other.ratio_sense = Ratio::BaselineOverValue;
  EXPECT_EQ(judged(figure(1, 2, 3), other), Verdict::OtherQuestion);
}

TEST(Comparison, DoesNotCompareFiguresFromDifferentRegimes) {
  Figure fast = figure(1, 2, 3), slow = figure(4, 5, 6);
  fast.repetitions = {Repetition{4, 2, 50, 50, true}};
  slow.repetitions = {Repetition{10, 2, 250, 250, true}};
  EXPECT_EQ(judged(fast, slow), Verdict::OtherRegime);
  EXPECT_EQ(judged(fast, fast), Verdict::Same);
  EXPECT_FALSE(compare(result_of({fast}), result_of({slow})).complete);
}

TEST(Comparison, TakesTheRegimeOfAJobFromItsProbes) {
  const Figure of_a = figure(1, 2, 3), of_b = figure(4, 5, 6);
  Result a = result_of({of_a}), b = result_of({of_b});
  b.before.ping_pong_ns = b.after.ping_pong_ns = 250;
  EXPECT_EQ(judge(a, of_a, b, of_b), Verdict::Worse);  // results on one core have no regime
  a.machine.ranks = b.machine.ranks = 2;
  EXPECT_EQ(judge(a, of_a, b, of_b), Verdict::OtherRegime);
}

TEST(Comparison, MarksDifferencesInItsTable) {
  const std::string same = compare(result_of({figure(1, 2, 3)}), result_of({figure(1, 2, 3)})).text;
  EXPECT_FALSE(contains(same, "WORSE")) << same;
  const std::string worse =
      compare(result_of({figure(1, 2, 3)}), result_of({figure(4, 5, 6)})).text;
  EXPECT_TRUE(contains(worse, "WORSE")) << worse;
}

TEST(Comparison, RejectsDifferentHardware) {
  const Result a = result_of({figure(1, 2, 3)});
  for (int way = 0; way < 3; ++way) {
    Result b = result_of({figure(4, 5, 6)});
    if (way == 0) b.machine.cpu = "another processor";
    if (way == 1) b.machine.processors = 64;
    if (way == 2) b.machine.ranks = 2;
    EXPECT_EQ(obstacles(a, b).size(), 1u) << way;
    const Comparison comparison = compare(a, b);
    EXPECT_FALSE(comparison.complete) << way;
    EXPECT_TRUE(contains(comparison.text, "NOT COMPARABLE")) << comparison.text;
    EXPECT_FALSE(contains(comparison.text, "WORSE")) << comparison.text;
  }
}

TEST(Comparison, ListsOtherDifferences) {
  const Result a = result_of({});
  Result b = a;
  EXPECT_TRUE(circumstances(a, b).empty());
  b.commit = "def";
  b.machine.flags = "-O2";
  b.before.ping_pong_ns = 250;
  ASSERT_EQ(circumstances(a, b).size(), 3u);
  EXPECT_EQ(circumstances(a, b)[0], "commit: abc | def");
  EXPECT_TRUE(compare(a, b).complete);
}

TEST(Comparison, ListsFiguresOfOnlyOneResult) {
  const std::string text = compare(result_of({figure_of("old", 1), figure_of("both", 1)}),
                                   result_of({figure_of("both", 1), figure_of("new", 1)}))
                               .text;
  EXPECT_TRUE(contains(text, "old                          only in A\n")) << text;
  EXPECT_TRUE(contains(text, "new                          only in B\n")) << text;
}

}}  // namespace bench
