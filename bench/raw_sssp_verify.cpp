#include "bench/raw_sssp_verify.hpp"

#include "structures/graph/edge_weight.hpp"

namespace raw {

DistanceCheck::DistanceCheck(int64_t nv, const Grappa::TupleEdge* edges, int64_t n,
                             uint64_t weight_seed, int64_t largest_weight)
    : nv_(nv) {
  edges_.reserve(size_t(n));
  for (const Grappa::TupleEdge* edge = edges; edge != edges + n; ++edge) {
    if (edge->v0 == edge->v1) continue;
    const int64_t weight = Grappa::edge_weight(edge->v0, edge->v1, weight_seed, largest_weight);
    edges_.push_back({int32_t(edge->v0), int32_t(edge->v1), uint32_t(weight)});
  }
}

const char* DistanceCheck::broken_rule(const uint32_t* distances, uint32_t unreached,
                                       int64_t root) const {
  if (distances[root] != 0) return "the distance of the root is 0";
  std::vector<bool> has_last(size_t(nv_), false);  // an edge that ends a path of this distance
  has_last[size_t(root)] = true;
  for (const Weighted& edge : edges_) {
    const uint64_t v = distances[edge.v], w = distances[edge.w];
    if ((v == unreached) != (w == unreached)) return "both ends of an edge are reached, or none";
    if (v == unreached) continue;
    if (v > w + edge.weight || w > v + edge.weight) return "no edge shortens a path";
    if (v == w + edge.weight) has_last[size_t(edge.v)] = true;
    if (w == v + edge.weight) has_last[size_t(edge.w)] = true;
  }
  for (int64_t v = 0; v < nv_; ++v) {
    if (distances[v] != unreached && !has_last[size_t(v)]) return "a path has each distance";
  }
  return nullptr;
}

}  // namespace raw
