#include "bench/raw_cc.hpp"

#include "bench/raw_cc_sweeps.hpp"
#include "bench/raw_cc_verify.hpp"
#include "tests/bench/raw_graphs.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace raw { namespace {

using Grappa::TupleEdge;

constexpr int kMaxThreads = 4;

// Computes labels simply: each edge gives both ends the smaller label, until no label changes.
std::vector<Vertex> labels_of(int64_t nv, const EdgeList& edges) {
  std::vector<Vertex> labels(static_cast<size_t>(nv));
  std::iota(labels.begin(), labels.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const TupleEdge& edge : edges) {
      Vertex& one = labels[size_t(edge.v0)];
      Vertex& other = labels[size_t(edge.v1)];
      changed = changed || one != other;
      one = other = std::min(one, other);
    }
  }
  return labels;
}

void expect_components(int64_t nv, const EdgeList& edges, int64_t components) {
  const int64_t n = int64_t(edges.size());
  const std::vector<Vertex> expected = labels_of(nv, edges);
  EXPECT_EQ(count_components(nv, edges.data(), n), components);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const Csr graph(nv, edges.data(), n, threads);
    Components finder(&graph, threads);
    SweepingComponents sweeps(&graph, threads);
    for (int trial = 0; trial < 2; ++trial) {
      const Vertex* const labels = finder.find();
      ASSERT_EQ(std::vector<Vertex>(labels, labels + nv), expected) << threads << " threads";
      EXPECT_EQ(broken_rule(nv, edges.data(), n, labels, components, threads), nullptr);
      const char* const broken =
          broken_rule(nv, edges.data(), n, sweeps.find(), components, threads);
      ASSERT_EQ(broken, nullptr) << "by sweeps, " << threads << " threads; broken rule: " << broken;
    }
  }
}

// Permutes the vertices, so that neighbours have distant numbers.
EdgeList scattered(int64_t nv, EdgeList edges) {
  constexpr int64_t kPrime = 7919;
  for (TupleEdge& edge : edges) {
    edge.v0 = edge.v0 * kPrime % nv;
    edge.v1 = edge.v1 * kPrime % nv;
  }
  return edges;
}

EdgeList grid(int64_t rows, int64_t columns) {
  EdgeList edges;
  for (int64_t v = 0; v < rows * columns; ++v) {
    if (v % columns + 1 < columns) edges.push_back({v, v + 1});
    if (v + columns < rows * columns) edges.push_back({v + columns, v});
  }
  return edges;
}

int64_t different(const std::vector<Vertex>& labels) {
  int64_t count = 0;
  for (size_t v = 0; v < labels.size(); ++v) count += labels[v] == Vertex(v);
  return count;
}

TEST(RawCc, JoinsAPath) {
  expect_components(3000, path(3000), 1);
  expect_components(3000, scattered(3000, path(3000)), 1);
}

TEST(RawCc, JoinsAGrid) {
  expect_components(50 * 60, grid(50, 60), 1);
  expect_components(50 * 60, scattered(50 * 60, grid(50, 60)), 1);
}

TEST(RawCc, KeepsIsolatedVerticesSeparate) {
  expect_components(1, {}, 1);
  expect_components(20000, {}, 20000);
  expect_components(20000, {{19999, 19999}, {7, 19998}}, 19999);
}

TEST(RawCc, JoinsAStarAtItsLastVertex) { expect_components(5000, star(5000, 4999), 1); }

// There is no large component. The algorithm must join many small components.
TEST(RawCc, SeparatesManyComponents) {
  EdgeList edges;
  for (int64_t v = 0; v + 5 < 12000; ++v) {
    if (v % 100 < 90) edges.push_back({v + 5, v});
  }
  const std::vector<Vertex> labels = labels_of(12000, edges);
  expect_components(12000, edges, different(labels));
  EXPECT_GT(different(labels), 500);
}

// Two cliques are joined by an edge that is not among the first two of any list.
TEST(RawCc, FindsEdgesAtTheEndsOfLists) {
  EdgeList edges = {{999, 1999}};
  for (int64_t v = 0; v < 1000; ++v) {
    for (int64_t w = 0; w < 3; ++w) {
      edges.push_back({v, w});
      edges.push_back({1000 + v, 1000 + w});
    }
  }
  expect_components(2000, edges, 1);
}

// The edge 4 - 5 is the third edge of both its ends, which are outside of the large component.
TEST(RawCc, LinksTheThirdEdgeOfVerticesOutside) {
  EdgeList edges = {{4, 0}, {4, 1}, {4, 5}, {5, 2}, {5, 3}};
  for (int64_t v = 6; v < 1999; ++v) edges.push_back({v, v + 1});
  expect_components(2000, edges, 2);
}

TEST(RawCc, FindsTheComponentsOfKroneckerGraphs) {
  for (const int64_t edgefactor : {1, 16}) {
    const EdgeList edges = kronecker(12, edgefactor);
    expect_components(1 << 12, edges, different(labels_of(1 << 12, edges)));
  }
}

// The graph is 0 - 1 - 2 and 3 - 4, and the separate vertex 5.
std::string broken(const std::vector<Vertex>& labels) {
  const EdgeList edges = {{0, 1}, {2, 1}, {1, 1}, {4, 3}, {3, 4}};
  const char* const rule = broken_rule(6, edges.data(), int64_t(edges.size()), labels.data(), 3, 2);
  return rule == nullptr ? "" : rule;
}

TEST(RawCcVerdict, AcceptsAnyLabelsThatSeparateComponents) {
  EXPECT_EQ(broken({0, 0, 0, 3, 3, 5}), "");
  EXPECT_EQ(broken({5, 5, 5, 0, 0, 1}), "");
}

TEST(RawCcVerdict, NamesTheBrokenRule) {
  EXPECT_EQ(broken({0, 0, 1, 3, 3, 5}), "every edge joins equal labels");
  EXPECT_EQ(broken({0, 0, 0, 3, 4, 5}), "every edge joins equal labels");
  EXPECT_EQ(broken({0, 0, 0, 3, 3, 6}), "every label is a vertex");
  EXPECT_EQ(broken({0, 0, 0, 3, 3, -1}), "every label is a vertex");
  EXPECT_EQ(broken({0, 0, 0, 0, 0, 5}), "there are as many labels as components");
  EXPECT_EQ(broken({0, 0, 0, 3, 3, 3}), "there are as many labels as components");
}

}}  // namespace raw
