#include "apps/communities/communities_verify.hpp"

#include "apps/common/plain_graph.hpp"

#include <cstddef>

namespace communities {

using Grappa::VertexID;

// counts[l] is the number of neighbours of a vertex with label l, and 0 between two vertices.
std::vector<VertexID> propagate_serially(const Grappa::TupleGraph& tuples,
                                         std::vector<VertexID> labels, int64_t max_iterations) {
  const apps::PlainGraph g(tuples);
  std::vector<VertexID> next = labels;
  std::vector<int64_t> counts(labels.size());
  for (int64_t iteration = 0; iteration < max_iterations; ++iteration) {
    for (VertexID v = 0; v < g.nv(); ++v) {
      int64_t highest = 0;
      for (const VertexID* w = g.begin(v); w != g.end(v); ++w) {
        const VertexID label = labels[static_cast<size_t>(*w)];
        const int64_t count = ++counts[static_cast<size_t>(label)];
        VertexID& chosen = next[static_cast<size_t>(v)];
        if (count > highest || (count == highest && label < chosen)) chosen = label;
        if (count > highest) highest = count;
      }
      for (const VertexID* w = g.begin(v); w != g.end(v); ++w) {
        counts[static_cast<size_t>(labels[static_cast<size_t>(*w)])] = 0;
      }
    }
    if (next == labels) break;
    labels.swap(next);
  }
  return labels;
}

}  // namespace communities
