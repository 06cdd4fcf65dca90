#pragma once

/// Lists of edges for the tests of graph programs.

#include "structures/graph/make/generators.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace apps {

struct EdgeList {
  std::string name;
  int64_t nv;
  std::vector<Grappa::TupleEdge> edges;
};

inline EdgeList kronecker_edges(int scale, int64_t edgefactor) {
  const Grappa::detail::KroneckerGenerator generator(scale, 1, 2);
  EdgeList list = {"Kronecker", int64_t(1) << scale, {}};
  for (int64_t i = 0; i < edgefactor << scale; ++i) list.edges.push_back(generator.edge(i));
  return list;
}

/// The edges of a grid. If `rows` is 1, the graph is a path.
inline EdgeList grid_edges(int64_t rows, int64_t columns) {
  EdgeList list = {"grid", rows * columns, {}};
  for (int64_t v = 0; v < list.nv; ++v) {
    if (v % columns + 1 < columns) list.edges.push_back({v, v + 1});
    if (v + columns < list.nv) list.edges.push_back({v + columns, v});
  }
  return list;
}

inline EdgeList star_edges(int64_t nv) {
  EdgeList list = {"star", nv, {}};
  for (int64_t leaf = 1; leaf < nv; ++leaf) list.edges.push_back({leaf, 0});
  return list;
}

/// Graphs of different sizes and diameters. Some graphs are connected, others are not.
inline std::vector<EdgeList> families() {
  return {kronecker_edges(9, 8),
          kronecker_edges(7, 1),
          grid_edges(20, 30),
          grid_edges(1, 300),
          star_edges(1000),
          {"two triangles and a vertex", 7, {{0, 1}, {1, 2}, {2, 0}, {4, 5}, {5, 6}, {6, 4}}},
          {"repeated edges and self-loops", 4, {{0, 0}, {0, 1}, {1, 0}, {1, 2}, {1, 2}, {3, 3}}},
          {"isolated vertices", 100, {}},
          {"one vertex", 1, {}}};
}

}  // namespace apps
