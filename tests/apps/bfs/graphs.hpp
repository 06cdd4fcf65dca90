#pragma once

/// Common code of the search tests: functions that copy between global arrays and vectors on the
/// core of the caller, and a serial search that is independent of the parallel searches.

#include <Grappa.hpp>

#include "structures/graph/tuple_graph.hpp"

#include <deque>
#include <vector>

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::TupleGraph;
using Grappa::VertexID;

typedef std::vector<TupleGraph::Edge> Edges;

/// Copies the values to a new global array. The caller must free the array.
inline GlobalAddress<int64_t> to_global(const std::vector<int64_t>& values) {
  const GlobalAddress<int64_t> array = Grappa::global_alloc<int64_t>(values.size());
  Grappa::finish([&values, array] {
    for (size_t i = 0; i < values.size(); ++i) {
      const int64_t value = values[i];
      Grappa::delegate::call<Grappa::async>(array + int64_t(i),
                                            [value](int64_t& element) { element = value; });
    }
  });
  return array;
}

inline std::vector<int64_t> from_global(GlobalAddress<int64_t> array, int64_t n) {
  std::vector<int64_t> values(static_cast<size_t>(n));
  int64_t* here = values.data();
  const Grappa::Core home = Grappa::mycore();
  // `here` is dereferenced only on its own core.
  const auto collect = [here, home](int64_t i, int64_t& element) {
    const int64_t value = element;
    const auto store = [here, i, value] { here[i] = value; };
    Grappa::delegate::call<Grappa::async>(home, Grappa::unchecked(store));
  };
  Grappa::forall(array, n, Grappa::unchecked(collect));
  return values;
}

/// Returns the level of each vertex, or -1 if the vertex is not reached. Searches with a serial
/// queue.
inline std::vector<int64_t> serial_levels(int64_t nv, const Edges& edges, VertexID root) {
  std::vector<std::vector<VertexID>> neighbours(static_cast<size_t>(nv));
  for (const TupleGraph::Edge& e : edges) {
    neighbours[size_t(e.v0)].push_back(e.v1);
    neighbours[size_t(e.v1)].push_back(e.v0);
  }
  std::vector<int64_t> level(static_cast<size_t>(nv), -1);
  std::deque<VertexID> queue(1, root);
  level[size_t(root)] = 0;
  while (!queue.empty()) {
    const VertexID v = queue.front();
    queue.pop_front();
    for (const VertexID next : neighbours[size_t(v)]) {
      if (level[size_t(next)] >= 0) continue;
      level[size_t(next)] = level[size_t(v)] + 1;
      queue.push_back(next);
    }
  }
  return level;
}

/// The path 0 - 1 - 2 - ... - n-1.
inline Edges path_edges(int64_t n) {
  Edges edges;
  for (VertexID v = 1; v < n; ++v) edges.push_back(TupleGraph::Edge{v - 1, v});
  return edges;
}

}  // namespace bfs
