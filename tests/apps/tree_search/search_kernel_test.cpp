#include "apps/tree_search/tree_search.hpp"

#include "apps/tree_search/search_verify.hpp"

#include <gtest/gtest.h>

namespace tree_search { namespace {

TEST(Search, FindsTheVerticesOfEachColour) {
  const Parameters parameters = {5000, 6, 4, 7};
  const Tree tree = make_tree(parameters);
  int64_t all = 0;
  for (int32_t colour = 0; colour < 4; ++colour) {
    const int64_t expected = count_serially(parameters, colour);
    EXPECT_GT(expected, 1000);
    EXPECT_EQ(expected, count_by_tasks(tree, colour));
    EXPECT_EQ(expected, count_by_nested_finish(tree, colour, 5));
    all += expected;
  }
  EXPECT_EQ(5000, all);
  EXPECT_EQ(0, count_by_tasks(tree, 4));
  EXPECT_EQ(0, count_by_nested_finish(tree, 4, 5));
  Grappa::global_free(tree);
}

TEST(Search, ReadsTheTreeAndNotTheGenerator) {
  const Parameters parameters = {1000, 3, 2, 7};
  const Tree tree = make_tree(parameters);
  Grappa::forall(tree, 1000, [](Vertex& vertex) { vertex.colour += 5; });
  EXPECT_EQ(0, count_by_tasks(tree, 1));
  EXPECT_EQ(count_serially(parameters, 1), count_by_tasks(tree, 6));
  EXPECT_EQ(count_serially(parameters, 1), count_by_nested_finish(tree, 6, 3));
  Grappa::global_free(tree);
}

TEST(Search, AcceptsMoreLevelsThanTheTreeHas) {
  const Parameters parameters = {400, 2, 2, 3};
  const Tree tree = make_tree(parameters);
  const int64_t expected = count_serially(parameters, 1);
  for (const int levels : {0, 1, 2, 10, 1000}) {
    EXPECT_EQ(expected, count_by_nested_finish(tree, 1, levels)) << levels << " levels";
  }
  Grappa::global_free(tree);
}

TEST(Search, SearchesTreesOfAnyShape) {
  const Parameters all[] = {{1, 6, 1, 1}, {2, 1, 1, 1}, {200, 1, 1, 1}, {3000, 1000, 1, 1}};
  for (const Parameters& parameters : all) {
    const Tree tree = make_tree(parameters);
    EXPECT_EQ(parameters.vertices, count_by_tasks(tree, 0));
    EXPECT_EQ(parameters.vertices, count_by_nested_finish(tree, 0, 8));
    Grappa::global_free(tree);
  }
}

TEST(WrongCount, NamesBothCountsAndTheMethod) {
  EXPECT_EQ("", wrong_count("tasks", 5, 5));
  EXPECT_EQ("4 vertices of the colour were found by tasks; expected 5", wrong_count("tasks", 4, 5));
}

}}  // namespace tree_search
