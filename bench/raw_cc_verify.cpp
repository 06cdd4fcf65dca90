#include "bench/raw_cc_verify.hpp"

#include <cstddef>
#include <numeric>
#include <vector>

namespace raw {
namespace {

// Uses path halving.
int64_t root_of(std::vector<Vertex>* parents, int64_t v) {
  std::vector<Vertex>& parent = *parents;
  while (parent[size_t(v)] != v) {
    parent[size_t(v)] = parent[size_t(parent[size_t(v)])];
    v = parent[size_t(v)];
  }
  return v;
}

// Returns -1 if a label is not a vertex.
int64_t count_labels(int64_t nv, const Vertex* labels) {
  std::vector<bool> seen(static_cast<size_t>(nv));
  int64_t different = 0;
  for (int64_t v = 0; v < nv; ++v) {
    if (labels[v] < 0 || labels[v] >= nv) return -1;
    different += !seen[size_t(labels[v])];
    seen[size_t(labels[v])] = true;
  }
  return different;
}

}  // namespace

int64_t count_components(int64_t nv, const Grappa::TupleEdge* edges, int64_t n) {
  std::vector<Vertex> parents(static_cast<size_t>(nv));
  std::iota(parents.begin(), parents.end(), 0);
  int64_t components = nv;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t one = root_of(&parents, edges[i].v0);
    const int64_t other = root_of(&parents, edges[i].v1);
    if (one == other) continue;
    parents[size_t(one)] = Vertex(other);
    --components;
  }
  return components;
}

const char* broken_rule(int64_t nv, const Grappa::TupleEdge* edges, int64_t n, const Vertex* labels,
                        int64_t components, int threads) {
  int64_t joining = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : joining)
  for (int64_t i = 0; i < n; ++i) joining += labels[edges[i].v0] != labels[edges[i].v1];
  if (joining != 0) return "every edge joins equal labels";
  const int64_t different = count_labels(nv, labels);
  if (different < 0) return "every label is a vertex";
  if (different != components) return "there are as many labels as components";
  return nullptr;
}

}  // namespace raw
