#include "apps/triangles/triangles_verify.hpp"

#include "apps/common/plain_graph.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace triangles {

using Grappa::VertexID;

// Ranks the vertices by descending degree, and intersects the sorted lists of the lower ranks of
// the two ends of each edge, like the verifier and the baseline of the GAP benchmark suite.
int64_t count_serially(const Grappa::TupleGraph& tuples) {
  const apps::PlainGraph g(tuples);
  const size_t nv = static_cast<size_t>(g.nv());
  std::vector<VertexID> order(nv), rank(nv);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&g](VertexID v, VertexID w) { return g.degree(v) > g.degree(w); });
  for (size_t k = 0; k < nv; ++k) rank[size_t(order[k])] = VertexID(k);
  std::vector<size_t> firsts;
  std::vector<VertexID> lower;
  firsts.reserve(nv + 1);
  firsts.push_back(0);
  lower.reserve(size_t(g.end(g.nv() - 1) - g.begin(0)) / 2);
  for (const VertexID v : order) {
    for (const VertexID* w = g.begin(v); w != g.end(v); ++w) {
      if (rank[size_t(*w)] < rank[size_t(v)]) lower.push_back(rank[size_t(*w)]);
    }
    std::sort(lower.begin() + std::ptrdiff_t(firsts.back()), lower.end());
    firsts.push_back(lower.size());
  }
  int64_t triangles = 0;
  for (size_t v = 0; v < nv; ++v) {
    for (size_t entry = firsts[v]; entry < firsts[v + 1]; ++entry) {
      const size_t w = size_t(lower[entry]);
      size_t mine = firsts[v], other = firsts[w];
      while (mine < entry && other < firsts[w + 1]) {
        triangles += lower[mine] == lower[other];
        const bool advance_mine = lower[mine] <= lower[other];
        other += lower[other] <= lower[mine];
        mine += advance_mine;
      }
    }
  }
  return triangles;
}

}  // namespace triangles
