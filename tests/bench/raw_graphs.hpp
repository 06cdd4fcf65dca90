#pragma once

/// Lists of edges for the tests of the baselines of graph algorithms.

#include "structures/graph/edge.hpp"
#include "structures/graph/make/generators.hpp"

#include <cstdint>
#include <vector>

namespace raw {

typedef std::vector<Grappa::TupleEdge> EdgeList;

inline EdgeList path(int64_t nv) {
  EdgeList edges;
  for (int64_t v = 1; v < nv; ++v) edges.push_back({v - 1, v});
  return edges;
}

inline EdgeList star(int64_t nv, int64_t centre) {
  EdgeList edges;
  for (int64_t v = 0; v < nv; ++v) edges.push_back({v, centre});  // includes a self-loop
  return edges;
}

inline EdgeList kronecker(int scale, int64_t edgefactor = 16) {
  const Grappa::detail::KroneckerGenerator generator(scale, 1, 2);
  EdgeList edges;
  for (int64_t i = 0; i < edgefactor << scale; ++i) edges.push_back(generator.edge(i));
  return edges;
}

}  // namespace raw
