#include "apps/tree_search/tree_search.hpp"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace tree_search { namespace {

std::vector<Vertex> generate(const Parameters& parameters) {
  Generator generator(parameters);
  std::vector<Vertex> vertices;
  for (int64_t k = 0; k < parameters.vertices; ++k) vertices.push_back(generator.next());
  return vertices;
}

bool equal(const Vertex& a, const Vertex& b) {
  return a.first_child == b.first_child && a.children == b.children && a.colour == b.colour;
}

TEST(Generator, MakesEachVertexExceptTheRootAChildOfOneVertex) {
  for (const int64_t n : {1, 2, 3, 10, 1000}) {
    for (const int64_t most : {1, 2, 6, 100}) {
      for (int64_t seed = 0; seed < 20; ++seed) {
        int64_t next = 1;
        for (const Vertex& vertex : generate({n, most, 5, seed})) {
          ASSERT_EQ(next, vertex.first_child);
          ASSERT_GE(vertex.children, 0);
          ASSERT_LE(vertex.children, most);
          ASSERT_LT(vertex.colour, 5);
          next += vertex.children;
        }
        ASSERT_EQ(n, next) << "the tree must contain all vertices";
      }
    }
  }
}

TEST(Generator, PutsChildrenAfterTheirParents) {
  const std::vector<Vertex> vertices = generate({1000, 1, 2, 9});
  for (size_t k = 0; k + 1 < vertices.size(); ++k) {
    ASSERT_EQ(1, vertices[k].children) << "each vertex must have one child";
  }
}

TEST(Generator, GeneratesAllNumbersOfChildrenAndAllColours) {
  std::vector<int64_t> children(7), colours(10);
  for (const Vertex& vertex : generate({10000, 6, 10, 3})) {
    ++children[size_t(vertex.children)];
    ++colours[size_t(vertex.colour)];
  }
  for (const int64_t times : colours) EXPECT_NEAR(1000, double(times), 200);
  for (const int64_t times : children)
    EXPECT_GT(times, 300) << "the last two thirds of the vertices are leaves";
}

TEST(Generator, GeneratesADifferentTreeForADifferentSeed) {
  const std::vector<Vertex> one = generate({100, 6, 10, 1}), other = generate({100, 6, 10, 2});
  EXPECT_FALSE(std::equal(one.begin(), one.end(), other.begin(), equal));
}

TEST(MakeTree, WritesEachVertex) {
  for (const int64_t n : {1, 3, 100, 5000}) {
    const Parameters parameters = {n, 6, 10, 4};
    const std::vector<Vertex> expected = generate(parameters);
    const Tree tree = make_tree(parameters);
    for (int64_t k = 0; k < n; ++k) {
      ASSERT_TRUE(equal(expected[size_t(k)], Grappa::delegate::read(tree + k)));
    }
    Grappa::global_free(tree);
  }
}

}}  // namespace tree_search
