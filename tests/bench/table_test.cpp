#include "bench/harness/table.hpp"

#include "tests/bench/results.hpp"

#include <gtest/gtest.h>

namespace bench { namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Table, ShortensFractionsAndKeepsIntegers) {
  EXPECT_EQ(brief(3.14159), "3.142");
  EXPECT_EQ(brief(123456789), "123456789");
  EXPECT_EQ(brief(0), "0");
  EXPECT_EQ(brief(1e20), "1e+20");
  EXPECT_EQ(brief(Spread{1.5, 2}), "1.5 - 2");
}

TEST(Table, PrintsAllNumbersOfAFigure) {
  const std::string row = table_row(figure_of("id", 3));
  for (const char* part : {"id ", " 3 ", " ns ", " 2 ", " 1.5 ", " 1.5 - 1.5 ",
                           "something, against something else\n"}) {
    EXPECT_TRUE(contains(row, part)) << part << " is not in " << row;
  }
}

TEST(Table, KeepsColumnsUnderTheirHeadings) {
  const std::string heading = table_heading(result_of({}));
  const size_t columns = heading.find("id ");
  EXPECT_EQ(heading.find("what") - columns, table_row(figure_of("id", 3)).find("something"));
  EXPECT_EQ(heading.find("what") - columns,
            table_row(count({"id", "things", "1", ""}, 7)).find("things"));
}

TEST(Table, WarnsOfAFigureThatIsNotVerified) {
  Figure figure = figure_of("id", 3);
  figure.verified = false;
  EXPECT_TRUE(contains(table_row(figure), "NOT VERIFIED"));
}

TEST(Table, PrintsTheNumberOfPairsNotCounted) {
  Figure figure = figure_of("id", 3);
  EXPECT_FALSE(contains(table_row(figure), "not counted"));
  figure.repeats = 2;
  EXPECT_TRUE(contains(table_row(figure), "; 2 pairs not counted"));
}

TEST(Table, PrintsTheRegimeOfAFigure) {
  Figure figure = figure_of("id", 3);
  EXPECT_FALSE(contains(table_row(figure), "cache line"));
  figure.line_ns = 54.6;
  EXPECT_TRUE(contains(table_row(figure), "; cache line 55 ns"));
}

TEST(Table, PrintsTheReasonOfAnOmission) {
  EXPECT_TRUE(contains(table_row(Omission{"id", "there is no moon"}), "there is no moon"));
}

TEST(Table, EndsWithTheStateOfTheMachine) {
  Result result = result_of({});
  result.after.ping_pong_ns = 0;
  const std::string footing = table_footing(result);
  EXPECT_TRUE(contains(footing, "50 ns and unknown")) << footing;
  EXPECT_TRUE(contains(footing, "1.0 and 1.1 us")) << footing;
  EXPECT_TRUE(contains(footing, "stolen time 1 s")) << footing;
}

}}  // namespace bench
