#include "structures/graph/file/graph_format.hpp"

#include <gtest/gtest.h>
#include <string>

namespace Grappa {

using namespace detail;

namespace {

TEST(GraphFormat, ComesFromTheNameOrTheSuffix) {
  EXPECT_EQ(graph_format("a.mtx", "el"), GraphFormat::kEdgeList);
  EXPECT_EQ(graph_format("a", "packed48"), GraphFormat::kPacked48);
  EXPECT_EQ(graph_format("a.txt", ""), GraphFormat::kEdgeList);
  EXPECT_EQ(graph_format("a.wel", ""), GraphFormat::kWeightedEdgeList);
  EXPECT_EQ(graph_format("a.tsv", ""), GraphFormat::kTabSeparated);
  EXPECT_EQ(graph_format("a.mtx", ""), GraphFormat::kMatrixMarket);
  EXPECT_EQ(graph_format("a.el.bintsv4", ""), GraphFormat::kBintsv4);
  EXPECT_EQ(graph_format("a.graph500", ""), GraphFormat::kGraph500);
  EXPECT_EQ(graph_format(".el", ""), GraphFormat::kUnknown);
  EXPECT_EQ(graph_format("a.EL", ""), GraphFormat::kUnknown);
  EXPECT_EQ(graph_format("a.el", "txt"), GraphFormat::kUnknown);
}

TEST(GraphFormat, IsFoundByItsName) {
  for (const char* name : {"el", "wel", "tsv", "mm", "bintsv4", "graph500", "packed48"}) {
    EXPECT_STREQ(format_name(graph_format("", name)), name);
  }
  EXPECT_STREQ(format_name(GraphFormat::kUnknown), "unknown");
}

TEST(GraphFormat, IsExplainedIfItIsUnknown) {
  EXPECT_EQ(unknown_format("a.bin", ""),
            "a.bin: unknown suffix; the known suffixes are .el .txt .wel .tsv .mtx .mm .bintsv4 "
            ".graph500 .packed48");
  EXPECT_EQ(unknown_format("a.el", "d\not"),
            "format \"d\\x0aot\" is unknown; the known formats are el wel tsv mm bintsv4 graph500 "
            "packed48");
}

}  // namespace
}  // namespace Grappa
