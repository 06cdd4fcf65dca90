#include "structures/graph/graph_bytes.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

TEST(GraphBytes, CountsVerticesAndBothEntriesOfEachEdge) {
  EXPECT_EQ(tuple_bytes_needed(10), 160);
  EXPECT_EQ(graph_bytes_at_rest(3, 10, 64), 3 * (64 + 8) + 2 * 4 * 10);
  EXPECT_EQ(graph_bytes_to_build(3, 10, 64), graph_bytes_at_rest(3, 10, 64));
}

TEST(GraphBytes, CountsUnsortedEntriesWhereTheyAreLargerThanSortedOnes) {
  const int64_t nv = int64_t{1} << 25;  // a key has 25 bits and, of 2^10 buckets, 15 bits
  EXPECT_EQ(graph_bytes_to_build(nv, 10, 16), 24 * double(nv) + 2 * 5 * 10);
}

TEST(GraphBytes, CountsLargerEntriesForManyVertices) {
  const int64_t many = int64_t{1} << 32;
  EXPECT_EQ(graph_bytes_at_rest(many, 10, 16), 24 * double(many) + 2 * 8 * 10);
}

TEST(GraphBytes, DoNotOverflowForTheLargestIds) {
  EXPECT_GT(graph_bytes_to_build(INT64_MAX, INT64_MAX, 16), 1e20);
}

TEST(GraphBytes, AreReadable) {
  EXPECT_EQ(human_bytes(0), "0 bytes");
  EXPECT_EQ(human_bytes(1023), "1023 bytes");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes(3.0 * 1024 * 1024 * 1024), "3.0 GiB");
}

}  // namespace
}  // namespace Grappa
