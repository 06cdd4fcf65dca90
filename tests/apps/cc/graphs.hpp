#pragma once

/// Common code of the component tests: functions that copy between global arrays and vectors on the
/// core of the caller, and a serial algorithm that is independent of the parallel algorithms.

#include <Grappa.hpp>

#include "structures/graph/tuple_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cc {

using Grappa::GlobalAddress;
using Grappa::TupleGraph;
using Grappa::VertexID;

typedef std::vector<TupleGraph::Edge> Edges;
typedef std::vector<VertexID> Labels;

/// Copies the values to a new global array. The caller must free the array.
inline GlobalAddress<VertexID> to_global(const Labels& values) {
  const GlobalAddress<VertexID> array = Grappa::global_alloc<VertexID>(values.size());
  Grappa::finish([&values, array] {
    for (size_t i = 0; i < values.size(); ++i) {
      Grappa::delegate::write<Grappa::async>(array + int64_t(i), values[i]);
    }
  });
  return array;
}

inline Labels from_global(GlobalAddress<VertexID> array, int64_t n) {
  Labels values(static_cast<size_t>(n));
  VertexID* const here = values.data();
  const Grappa::Core home = Grappa::mycore();
  // `here` is dereferenced only on its own core.
  const auto collect = [here, home](int64_t i, VertexID& element) {
    const VertexID value = element;
    const auto store = [here, i, value] { here[i] = value; };
    Grappa::delegate::call<Grappa::async>(home, Grappa::unchecked(store));
  };
  Grappa::forall(array, n, Grappa::unchecked(collect));
  return values;
}

/// Returns for each vertex the smallest vertex of its component. The function visits all edges and
/// decreases labels until no label changes.
inline Labels smallest_labels(int64_t nv, const Edges& edges) {
  Labels label(static_cast<size_t>(nv));
  for (int64_t v = 0; v < nv; ++v) label[size_t(v)] = v;
  const auto root = [&label](VertexID v) {
    while (label[size_t(v)] != v) v = label[size_t(v)];
    return v;
  };
  for (const TupleGraph::Edge& e : edges) {
    const VertexID a = root(e.v0), b = root(e.v1);
    label[size_t(std::max(a, b))] = std::min(a, b);
    label[size_t(e.v0)] = label[size_t(e.v1)] = std::min(a, b);
  }
  for (int64_t v = 0; v < nv; ++v) label[size_t(v)] = root(v);
  return label;
}

/// The path 0 - 1 - 2 - ... - n-1.
inline Edges path_edges(int64_t n) {
  Edges edges;
  for (VertexID v = 1; v < n; ++v) edges.push_back(TupleGraph::Edge{v - 1, v});
  return edges;
}

}  // namespace cc
