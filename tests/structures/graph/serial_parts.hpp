#pragma once

/// The connected components of a generated graph, by a serial union-find.

#include "structures/graph/edge.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace Grappa {

struct Parts {
  int64_t count = 0;    // components, including isolated vertices
  int64_t largest = 0;  // vertices of the largest component
};

template <class Generator>
Parts serial_parts(const Generator& generator) {
  std::vector<VertexID> parent(size_t(generator.nv()));
  std::iota(parent.begin(), parent.end(), VertexID(0));
  const auto root = [&](VertexID v) {
    while (parent[size_t(v)] != v) v = parent[size_t(v)] = parent[size_t(parent[size_t(v)])];
    return v;
  };
  for (int64_t i = 0; i < generator.nedge(); ++i) {
    const TupleEdge e = generator.edge(i);
    parent[size_t(root(e.v0))] = root(e.v1);
  }
  Parts parts;
  std::vector<int64_t> vertices(parent.size());
  for (VertexID v = 0; v < generator.nv(); ++v) {
    parts.count += parent[size_t(v)] == v;
    parts.largest = std::max(parts.largest, ++vertices[size_t(root(v))]);
  }
  return parts;
}

}  // namespace Grappa
