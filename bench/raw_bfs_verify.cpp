#include "bench/raw_bfs_verify.hpp"

#include <algorithm>
#include <vector>

namespace raw {
namespace {

constexpr int32_t kUnreached = -1;
constexpr int32_t kUnknown = -2;

// Computes levels by following parents to a vertex with a known level. Returns false if a path is a
// cycle, or leads to a vertex that was not reached or does not exist.
bool find_levels(int64_t nv, Vertex root, const Vertex* parents, std::vector<int32_t>* levels) {
  std::vector<int32_t>& level = *levels;
  for (int64_t v = 0; v < nv; ++v) level[size_t(v)] = parents[v] < 0 ? kUnreached : kUnknown;
  if (parents[root] != root) return false;
  level[size_t(root)] = 0;
  std::vector<Vertex> way;
  for (int64_t start = 0; start < nv; ++start) {
    Vertex v = Vertex(start);
    for (; level[size_t(v)] == kUnknown; v = parents[v]) {
      if (parents[v] >= nv || int64_t(way.size()) == nv) return false;
      way.push_back(v);
    }
    if (level[size_t(v)] == kUnreached) {
      if (!way.empty()) return false;
      continue;
    }
    for (int32_t next = level[size_t(v)]; !way.empty(); way.pop_back()) {
      level[size_t(way.back())] = ++next;
    }
  }
  return true;
}

struct Edges {
  int64_t inside;     // edges within the component of the root
  int64_t leaving;    // edges between reached and unreached vertices
  int64_t too_steep;  // edges whose ends are more than one level apart
};

// Marks each vertex that has an edge to its parent.
Edges look_at_edges(const Grappa::TupleEdge* edges, int64_t n, const Vertex* parents,
                    const std::vector<int32_t>& level, int threads, std::vector<uint8_t>* marks) {
  uint8_t* const marked = marks->data();
  int64_t inside = 0, leaving = 0, too_steep = 0;
#pragma omp parallel for schedule(static) num_threads(threads) \
    reduction(+ : inside, leaving, too_steep)
  for (int64_t i = 0; i < n; ++i) {
    const int64_t u = edges[i].v0, v = edges[i].v1;
    const int32_t step = level[size_t(u)] - level[size_t(v)];
    const bool reached = level[size_t(u)] != kUnreached;
    if (reached != (level[size_t(v)] != kUnreached)) {
      ++leaving;
      continue;
    }
    inside += reached;
    too_steep += step < -1 || step > 1;
    // Relaxed: the marks are read after the loop. All threads write the same value.
    if (parents[u] == v) __atomic_store_n(marked + u, 1, __ATOMIC_RELAXED);
    if (parents[v] == u) __atomic_store_n(marked + v, 1, __ATOMIC_RELAXED);
  }
  return {inside, leaving, too_steep};
}

Verdict wrong(const char* rule) { return {rule, 0, 0}; }

}  // namespace

Verdict verify(int64_t nv, const Grappa::TupleEdge* edges, int64_t n, Vertex root,
               const Vertex* parents, int threads) {
  std::vector<int32_t> level(static_cast<size_t>(nv));
  // The level of a vertex is one more than that of its parent, so each tree edge satisfies rule 2.
  if (!find_levels(nv, root, parents, &level)) return wrong("parents lead to the root");
  std::vector<uint8_t> marked(static_cast<size_t>(nv));
  const Edges found = look_at_edges(edges, n, parents, level, threads, &marked);
  if (found.leaving != 0) return wrong("the tree spans the component");
  if (found.too_steep != 0) return wrong("edges connect levels at most one apart");
  marked[size_t(root)] = 1;
  int64_t reached = 0;
  for (size_t v = 0; v < size_t(nv); ++v) {
    if (level[v] == kUnreached) continue;
    ++reached;
    if (marked[v] == 0) return wrong("tree edges are edges of the graph");
  }
  return {nullptr, reached, found.inside};
}

}  // namespace raw
