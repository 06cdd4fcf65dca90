#include "structures/graph/file/text_format.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

struct Parsed {
  bool good;
  TupleEdge edge;
  EdgeAttributes attributes;
  std::string problem;
};

Parsed edge_list(const std::string& line) {
  Parsed p = {};
  p.good =
      parse_edge_list_line(line.data(), line.data() + line.size(), &p.edge, nullptr, &p.problem);
  return p;
}

Parsed weighted_edge(const std::string& line) {
  Parsed p = {};
  p.good = parse_edge_list_line(line.data(), line.data() + line.size(), &p.edge, &p.attributes,
                                &p.problem);
  return p;
}

Parsed entry(const MatrixMarketHeader& header, const std::string& line) {
  Parsed p = {};
  p.good = parse_matrix_market_entry(line.data(), line.data() + line.size(), header, &p.edge,
                                     &p.attributes, &p.problem);
  return p;
}

void expect_edge(const Parsed& p, VertexID v0, VertexID v1) {
  ASSERT_TRUE(p.good) << p.problem;
  EXPECT_EQ(p.edge, (TupleEdge{v0, v1}));
}

void expect_attributes(const Parsed& p, double weight, double time) {
  ASSERT_TRUE(p.good) << p.problem;
  EXPECT_EQ(p.attributes.weight, weight);
  EXPECT_EQ(p.attributes.time, time);
}

void expect_problem(const Parsed& p, const std::string& problem) {
  EXPECT_FALSE(p.good);
  EXPECT_EQ(p.problem, problem);
}

TEST(EdgeListLine, IsTwoIdsSeparatedBySpacesOrTabs) {
  expect_edge(edge_list("3 14"), 3, 14);
  expect_edge(edge_list("3\t14"), 3, 14);
  expect_edge(edge_list(" \t 3 \t 14 \t"), 3, 14);
  expect_edge(edge_list("0 0"), 0, 0);
  expect_edge(edge_list("9223372036854775807 1"), INT64_MAX, 1);
}

TEST(EdgeListLine, MayEndAsInDos) { expect_edge(edge_list("3 14\r"), 3, 14); }

TEST(EdgeListLine, IsSkippedIfBlankOrAComment) {
  for (const std::string line :
       {"", "\r", " \t ", "# 1 2", "% 1 2", "#", "  # indented", "\t%\r"}) {
    EXPECT_TRUE(is_blank_or_comment(line.data(), line.data() + line.size(), kEdgeListMarks))
        << line;
  }
}

TEST(EdgeListLine, MayHaveAWeightAndATimeStamp) {
  expect_edge(edge_list("1 2 0.5"), 1, 2);
  expect_edge(edge_list("1 2 -1e300 1700000000"), 1, 2);
  expect_edge(edge_list("1 2 +7\r"), 1, 2);
  expect_problem(edge_list("1 2 heavy"), "\"heavy\" is not a number (a weight or a time stamp)");
  expect_problem(edge_list("1 2 3 4 5"),
                 "unexpected \"5\" after two vertex ids, a weight and a time stamp");
}

TEST(WeightedEdgeListLine, GivesTheWeightAndTheTimeStamp) {
  expect_edge(weighted_edge("1 2 0.5"), 1, 2);
  expect_attributes(weighted_edge("1 2 0.5"), 0.5, 0);
  expect_attributes(weighted_edge("1 2 -1e300 1700000000"), -1e300, 1700000000);
  expect_attributes(weighted_edge("1\t2\t+7\r"), 7, 0);
  expect_attributes(weighted_edge("1 2 inf"), HUGE_VAL, 0);
  for (const char* line : {"1 2 nan", "1 2 1e400", "1 2 -1e400", "1 2 1e-400"}) {
    ASSERT_TRUE(weighted_edge(line).good) << line;
    EXPECT_TRUE(std::isnan(weighted_edge(line).attributes.weight)) << line;
  }
  expect_problem(weighted_edge("1 2"), "no weight after the two vertex ids");
  expect_problem(weighted_edge("1"), "only one vertex id; an edge needs two");
  expect_problem(weighted_edge("1 2 heavy"),
                 "\"heavy\" is not a number (a weight or a time stamp)");
}

TEST(EdgeListLine, IsBadIfAnIdIsMissingOrNotAnInteger) {
  expect_problem(edge_list("17"), "only one vertex id; an edge needs two");
  for (const char* id : {"abc", "1.5", "1e3", "0x10", "1,2", "+1", "--1", "-", "1_000"}) {
    const std::string sentence = "\"" + std::string(id) + "\" is not a vertex id (a whole number)";
    expect_problem(edge_list(std::string(id) + " 2"), sentence);
    expect_problem(edge_list("2 " + std::string(id)), sentence);
  }
}

TEST(EdgeListLine, IsBadIfAnIdIsNegativeOrBeyond64Bits) {
  expect_problem(edge_list("1 -2"), "vertex id \"-2\" is negative");
  expect_problem(edge_list("-99999999999999999999 2"),
                 "vertex id \"-99999999999999999999\" is negative");
  expect_problem(edge_list("9223372036854775808 2"),
                 "vertex id \"9223372036854775808\" does not fit in 64 bits");
}

TEST(EdgeListLine, QuotesControlCharactersEscaped) {
  expect_problem(edge_list(std::string("\x1b[2J\0\xff\" 2", 9)),
                 "\"\\x1b[2J\\x00\\xff\\\"\" is not a vertex id (a whole number)");
}

TEST(EdgeListLine, QuotesBytesThatAreNotText) {
  expect_problem(edge_list(std::string("1 \0", 3)),
                 "\"\\x00\" is not a vertex id (a whole number)");
  expect_problem(edge_list(std::string("\0", 1)), "\"\\x00\" is not a vertex id (a whole number)");
  expect_problem(edge_list("1\r2\r"), "\"1\\x0d2\" is not a vertex id (a whole number)");
  expect_problem(edge_list("\xef\xbb\xbf"
                           "1 2"),
                 "\"\\xef\\xbb\\xbf1\" is not a vertex id (a whole number)");
}

TEST(EdgeLine, IsReadBackAsItWasWritten) {
  const TupleEdge edges[] = {{0, 0}, {7, 12345}, {INT64_MAX, 1}, {INT64_MAX, INT64_MAX}};
  for (const TupleEdge& edge : edges) {
    for (const char separator : {' ', '\t'}) {
      char line[kMostLineBytes];
      char* const end = write_edge_line(edge, 0, separator, line);
      ASSERT_EQ(end[-1], '\n');
      expect_edge(edge_list(std::string(line, end - 1)), edge.v0, edge.v1);
    }
  }
}

TEST(EdgeLine, MayCountFromOne) {
  char line[kMostLineBytes];
  EXPECT_EQ(std::string(line, write_edge_line({0, INT64_MAX - 1}, 1, ' ', line)),
            "1 9223372036854775807\n");
}

bool banner(const std::string& line, MatrixMarketHeader* header, std::string* problem) {
  return parse_matrix_market_banner(line.data(), line.data() + line.size(), header, problem);
}

TEST(MatrixMarketBanner, GivesTheFieldInAnyCase) {
  MatrixMarketHeader header = {};
  std::string problem;
  ASSERT_TRUE(banner("%%MatrixMarket matrix coordinate pattern symmetric", &header, &problem));
  EXPECT_EQ(header.field, MatrixField::kPattern);
  ASSERT_TRUE(banner("%%MatrixMarket MATRIX Coordinate\tReal GENERAL\r", &header, &problem));
  EXPECT_EQ(header.field, MatrixField::kReal);
  ASSERT_TRUE(banner("%%MatrixMarket matrix coordinate integer general", &header, &problem));
  EXPECT_EQ(header.field, MatrixField::kInteger);
}

TEST(MatrixMarketBanner, RefusesOtherMatricesWithAMessage) {
  const struct {
    const char* line;
    const char* problem;
  } cases[] = {
      {"1 2", "a Matrix Market file starts with %%MatrixMarket, not with \"1\""},
      {"%%MatrixMarket vector coordinate real general",
       "Matrix Market object \"vector\" is not supported, expected matrix"},
      {"%%MatrixMarket matrix array real general",
       "matrix format \"array\" is not supported, expected coordinate"},
      {"%%MatrixMarket matrix coordinate complex general",
       "matrix field \"complex\" is not supported, expected pattern, integer or real"},
      {"%%MatrixMarket matrix coordinate real hermitian",
       "matrix symmetry \"hermitian\" is not supported, expected general or symmetric"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric",
       "matrix symmetry \"skew-symmetric\" is not supported, expected general or symmetric"},
      {"%%MatrixMarket matrix coordinate real",
       "matrix symmetry \"\" is not supported, expected general or symmetric"},
      {"%%MatrixMarket matrix coordinate real general 5", "unexpected \"5\" after the banner"},
  };
  for (const auto& each : cases) {
    MatrixMarketHeader header = {};
    std::string problem;
    EXPECT_FALSE(banner(each.line, &header, &problem)) << each.line;
    EXPECT_EQ(problem, each.problem);
  }
}

TEST(MatrixMarketSize, IsRowsColumnsAndEntriesOfASquare) {
  const struct {
    const char* line;
    const char* problem;
  } cases[] = {
      {"3 3 7\r", ""},
      {"3 4 7", "the matrix has 3 rows and 4 columns, but the matrix of a graph is square"},
      {"3 3", "the size line needs rows, columns and entries"},
      {"3 3 -7", "the size line contains \"-7\", expected a count"},
      {"3 3 7 9", "unexpected \"9\" after rows, columns and entries"},
  };
  for (const auto& each : cases) {
    MatrixMarketHeader header = {};
    std::string problem;
    const std::string line = each.line;
    const bool good =
        parse_matrix_market_size(line.data(), line.data() + line.size(), &header, &problem);
    EXPECT_EQ(problem, each.problem);
    EXPECT_EQ(good, problem.empty()) << each.line;
  }
}

TEST(MatrixMarketEntry, CountsFromOneAndHasAValueOfTheField) {
  const MatrixMarketHeader pattern = {MatrixField::kPattern, 5, 9};
  const MatrixMarketHeader integer = {MatrixField::kInteger, 5, 9};
  const MatrixMarketHeader real = {MatrixField::kReal, 5, 9};
  expect_edge(entry(pattern, "5 1\r"), 4, 0);
  expect_edge(entry(integer, "5 1 -3"), 4, 0);
  expect_edge(entry(real, "5 1 +2.5e-3"), 4, 0);
  expect_attributes(entry(pattern, "5 1"), 0, 0);
  expect_attributes(entry(integer, "5 1 -3"), -3, 0);
  expect_attributes(entry(real, "5 1 +2.5e-3"), 2.5e-3, 0);
  expect_problem(entry(pattern, "5 1 1"), "unexpected \"1\" after the entry");
  expect_problem(entry(integer, "5 1"), "no value; the banner declares an integer number");
  expect_problem(entry(integer, "5 1 1.5"), "\"1.5\" is not an integer number");
  expect_problem(entry(real, "5 1 x"), "\"x\" is not a real number");
}

TEST(MatrixMarketEntry, IsWithinTheMatrix) {
  const MatrixMarketHeader header = {MatrixField::kPattern, 5, 9};
  expect_problem(entry(header, "0 1"), "row or column 0 is outside the matrix: expected 1 to 5");
  expect_problem(entry(header, "1 6"), "row or column 6 is outside the matrix: expected 1 to 5");
  expect_problem(entry(header, "1 -6"), "vertex id \"-6\" is negative");
}

TEST(MatrixMarketEntry, IsSkippedIfAComment) {
  const std::string percent = "% 1 6", hash = "# 1 6";
  EXPECT_TRUE(is_blank_or_comment(percent.data(), percent.data() + 5, kMatrixMarketMarks));
  EXPECT_FALSE(is_blank_or_comment(hash.data(), hash.data() + 5, kMatrixMarketMarks));
}

bool metis_header(const std::string& line, MetisHeader* header, std::string* problem) {
  return parse_metis_header(line.data(), line.data() + line.size(), header, problem);
}

TEST(MetisHeader, GivesTheSizesAndTheWeights) {
  MetisHeader header = {};
  std::string problem;
  ASSERT_TRUE(metis_header("7 11", &header, &problem)) << problem;
  EXPECT_EQ(header.nv, 7);
  EXPECT_EQ(header.nedge, 11);
  EXPECT_EQ(header.weights, 0);
  EXPECT_FALSE(header.weighted_edges);
  const struct {
    const char* line;
    int64_t weights;
    bool weighted_edges;
  } cases[] = {{"7 0 0", 0, false},    {"7 11 1\r", 0, true},   {"7 11 001", 0, true},
               {" 7 11 10", 1, false}, {"7 11 11", 1, true},    {"7 11 010 3", 3, false},
               {"7 11 100", 1, false}, {"7 11 111 2", 3, true}, {"7 11 1 0", 0, true}};
  for (const auto& each : cases) {
    ASSERT_TRUE(metis_header(each.line, &header, &problem)) << problem;
    EXPECT_EQ(header.weights, each.weights) << each.line;
    EXPECT_EQ(header.weighted_edges, each.weighted_edges) << each.line;
  }
}

TEST(MetisHeader, IsBadIfANumberIsMissingOrWrong) {
  const struct {
    const char* line;
    const char* problem;
  } cases[] = {
      {"7", "the header line needs the numbers of vertices and edges"},
      {"7 x", "the header line contains \"x\", expected a count"},
      {"-7 2", "the header line contains \"-7\", expected a count"},
      {"0 0", "the graph is empty"},
      {"7 11 2", "the header line has the format \"2\", expected up to three digits 0 or 1"},
      {"7 11 0001", "the header line has the format \"0001\", expected up to three digits 0 or 1"},
      {"7 11 1 2",
       "the header line declares \"2\" weights of a vertex, which does not match its format \"1\""},
      {"7 11 10 0",
       "the header line declares \"0\" weights of a vertex, which does not match its format "
       "\"10\""},
      {"7 11 111 9223372036854775807",
       "the header line declares \"9223372036854775807\" weights of a vertex, which does not match "
       "its format \"111\""},
      {"7 11 10 1 5", "unexpected \"5\" after the numbers of the header line"}};
  for (const auto& each : cases) {
    MetisHeader header = {};
    std::string problem;
    EXPECT_FALSE(metis_header(each.line, &header, &problem)) << each.line;
    EXPECT_EQ(problem, each.problem);
  }
}

// Returns the neighbours in the line of vertex 2 of 9 vertices, or the problem.
std::string metis_line(const MetisHeader& header, const std::string& line) {
  std::string found, problem;
  const auto visit = [&](VertexID neighbour, double weight, std::string*) {
    found += std::to_string(neighbour) + " ";
    if (header.weighted_edges) found += "(" + std::to_string(int(weight)) + ") ";
    EXPECT_TRUE(header.weighted_edges || weight == 0) << weight;
    return true;
  };
  const bool good =
      parse_metis_line(line.data(), line.data() + line.size(), header, 2, visit, &problem);
  EXPECT_EQ(good, problem.empty());
  return good ? found : problem;
}

TEST(MetisLine, GivesTheNeighboursAndTheWeightsOfEdges) {
  EXPECT_EQ(metis_line({9, 0, 0, false}, "1 9 4"), "0 8 3 ");
  EXPECT_EQ(metis_line({9, 0, 0, false}, " \t1  2 \r"), "0 1 ");
  EXPECT_EQ(metis_line({9, 0, 0, false}, ""), "");
  EXPECT_EQ(metis_line({9, 0, 2, false}, "5 -6 1 2"), "0 1 ");
  EXPECT_EQ(metis_line({9, 0, 0, true}, "1 7 2 -5"), "0 (7) 1 (-5) ");
  EXPECT_EQ(metis_line({9, 0, 1, true}, "77 1 7 2 8"), "0 (7) 1 (8) ");
}

TEST(MetisLine, IsBadIfANumberIsMissingOrWrong) {
  EXPECT_EQ(metis_line({9, 0, 0, false}, "1 x"), "\"x\" is not a vertex id (a whole number)");
  EXPECT_EQ(metis_line({9, 0, 0, false}, "0"), "vertex 3 has the neighbour 0, expected 1 to 9");
  EXPECT_EQ(metis_line({9, 0, 0, false}, "10"), "vertex 3 has the neighbour 10, expected 1 to 9");
  EXPECT_EQ(metis_line({9, 0, 0, false}, "1 3"), "vertex 3 is its own neighbour");
  EXPECT_EQ(metis_line({9, 0, 2, false}, "5"), "a weight of the vertex is missing");
  EXPECT_EQ(metis_line({9, 0, 1, false}, "x"), "\"x\" is not a number (a weight of the vertex)");
  EXPECT_EQ(metis_line({9, 0, 0, true}, "1 7 2"), "a weight of an edge is missing");
  EXPECT_EQ(metis_line({9, 0, 0, true}, "1 x"), "\"x\" is not a number (a weight of an edge)");
}

}  // namespace
}  // namespace Grappa
