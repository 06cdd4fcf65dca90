#include "structures/graph/file/graph_format.hpp"
#include "structures/text/quoted.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

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
  EXPECT_EQ(graph_format("a.graph", ""), GraphFormat::kMetis);
  EXPECT_EQ(graph_format("a.metis", ""), GraphFormat::kMetis);
  EXPECT_EQ(graph_format("a.sg", ""), GraphFormat::kGap);
  EXPECT_EQ(graph_format("a.wsg", ""), GraphFormat::kWeightedGap);
  EXPECT_EQ(graph_format("a.mtx.gz", ""), GraphFormat::kMatrixMarket);
  EXPECT_EQ(graph_format("a.gz", "tsv"), GraphFormat::kTabSeparated);
  EXPECT_EQ(graph_format("a.gz", ""), GraphFormat::kUnknown);
  EXPECT_EQ(graph_format(".el", ""), GraphFormat::kUnknown);
  EXPECT_EQ(graph_format("a.EL", ""), GraphFormat::kUnknown);
  EXPECT_EQ(graph_format("a.el", "txt"), GraphFormat::kUnknown);
}

TEST(GraphFormat, IsFoundByItsName) {
  for (const char* name :
       {"el", "wel", "tsv", "mm", "metis", "bintsv4", "graph500", "packed48", "sg", "wsg"}) {
    EXPECT_STREQ(format_name(graph_format("", name)), name);
  }
  EXPECT_STREQ(format_name(GraphFormat::kUnknown), "unknown");
}

TEST(GraphFormat, IsOfTextOrOfRecordsOrOfLists) {
  for (const char* name : {"el", "wel", "tsv", "mm", "metis"}) {
    EXPECT_TRUE(is_text(graph_format("", name))) << name;
    EXPECT_EQ(record_bytes(graph_format("", name)), 0) << name;
  }
  for (const char* name : {"bintsv4", "graph500", "packed48"}) {
    EXPECT_FALSE(is_text(graph_format("", name))) << name;
    EXPECT_GT(record_bytes(graph_format("", name)), 0) << name;
  }
  for (const char* name : {"metis", "sg", "wsg"}) {
    EXPECT_FALSE(holds_pairs(graph_format("", name))) << name;
  }
  for (const char* name : {"el", "wel", "tsv", "mm", "bintsv4", "graph500", "packed48"}) {
    EXPECT_TRUE(holds_pairs(graph_format("", name))) << name;
  }
}

TEST(GraphFormat, IsExplainedIfItIsUnknown) {
  EXPECT_EQ(unknown_format("a.bin", ""),
            "a.bin: unknown suffix; the known suffixes are .el .txt .wel .tsv .mtx .mm .graph "
            ".metis .bintsv4 .graph500 .packed48 .sg .wsg, and .gz or .zst after a suffix of a "
            "text file");
  EXPECT_EQ(unknown_format("a.el", "d\not"),
            "format \"d\\x0aot\" is unknown; the known formats are el wel tsv mm metis bintsv4 "
            "graph500 packed48 sg wsg");
}

TupleEdge decoded(GraphFormat format, const std::vector<int>& bytes) {
  std::string record = " ";  // makes the record unaligned
  for (const int byte : bytes) record += static_cast<char>(byte);
  EXPECT_EQ(int64_t(bytes.size()), record_bytes(format));
  TupleEdge edge = {};
  decode_records(format, record.data() + 1, 1, &edge);
  return edge;
}

TEST(EdgeRecord, OfBintsv4IsTwoIdsOf32Bits) {
  EXPECT_EQ(decoded(GraphFormat::kBintsv4, {1, 2, 3, 4, 5, 0, 0, 0}), (TupleEdge{0x04030201, 5}));
  EXPECT_EQ(decoded(GraphFormat::kBintsv4, {255, 255, 255, 255, 0, 0, 0, 128}),
            (TupleEdge{4294967295, 2147483648}));
}

TEST(EdgeRecord, OfGraph500IsTwoSignedIdsOf64Bits) {
  EXPECT_EQ(decoded(GraphFormat::kGraph500, {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0}),
            (TupleEdge{0x0807060504030201, 9}));
  EXPECT_EQ(decoded(GraphFormat::kGraph500, {255, 255, 255, 255, 255, 255, 255, 255,  //
                                             0, 0, 0, 0, 0, 0, 0, 128}),
            (TupleEdge{-1, INT64_MIN}));
}

TEST(EdgeRecord, OfPacked48HasTheUpperBitsOfBothIdsAtItsEnd) {
  EXPECT_EQ(decoded(GraphFormat::kPacked48, {1, 2, 3, 4, 11, 12, 13, 14, 5, 6, 15, 16}),
            (TupleEdge{0x060504030201, 0x100f0e0d0c0b}));
  EXPECT_EQ(decoded(GraphFormat::kPacked48, {255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 0, 128}),
            (TupleEdge{-1, -(int64_t{1} << 47)}));
}

TEST(EdgeRecord, IsReadBackAsItWasWritten) {
  for (const GraphFormat format :
       {GraphFormat::kBintsv4, GraphFormat::kGraph500, GraphFormat::kPacked48}) {
    const VertexID largest = largest_id(format);
    const std::vector<TupleEdge> edges = {
        {0, 1}, {largest, 0}, {0, largest}, {largest, largest}, {largest / 3, largest / 5}};
    std::vector<char> bytes(edges.size() * size_t(record_bytes(format)));
    encode_records(format, edges.data(), int64_t(edges.size()), bytes.data());
    std::vector<TupleEdge> read(edges.size());
    decode_records(format, bytes.data(), int64_t(edges.size()), read.data());
    EXPECT_EQ(read, edges) << format_name(format);
  }
}

TEST(EdgeRecord, DoesNotExistForTextFormats) {
  EXPECT_EQ(record_bytes(GraphFormat::kEdgeList), 0);
  EXPECT_EQ(record_bytes(GraphFormat::kMatrixMarket), 0);
  EXPECT_EQ(largest_id(GraphFormat::kMatrixMarket), INT64_MAX - 1);
}

TEST(Quoted, ShortensLongText) {
  const std::string text(1000, 'x');
  EXPECT_EQ(quoted(text.data(), text.data() + text.size()), "\"" + std::string(40, 'x') + "...\"");
}

TEST(Printable, EscapesOnlyControlCharacters) {
  EXPECT_EQ(printable("a b\n\x7f\xc3\xa9"), "a b\\x0a\\x7f\xc3\xa9");
}

}  // namespace
}  // namespace Grappa
