#include "bench/raw_cc.hpp"

#include "system/base/compiler.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace raw {
namespace {

// Number of edges of each vertex that are linked before the sampling, as in the paper.
constexpr int64_t kFirst = 2;
constexpr int kSamples = 1024;

// Number of vertices that a thread takes at a time. It is small, because lists differ in length.
constexpr int64_t kChunk = 4096;

// Prefetch distance.
constexpr int64_t kAhead = 16;

// Relaxed: a parent is a number that only decreases, and each earlier value is a vertex of the same
// tree.
Vertex load(const Vertex* parent) { return __atomic_load_n(parent, __ATOMIC_RELAXED); }
void store(Vertex* parent, Vertex value) { __atomic_store_n(parent, value, __ATOMIC_RELAXED); }

// Joins the trees of two vertices. If the larger of two ancestors is a root, the root is linked to
// the smaller ancestor; otherwise both are replaced by higher ancestors. Concurrent links therefore
// create no cycle.
void link(Vertex* parents, Vertex u, Vertex v) {
  Vertex one = load(parents + u);
  Vertex other = load(parents + v);
  while (one != other) {
    const Vertex high = std::max(one, other);
    const Vertex low = std::min(one, other);
    Vertex above = load(parents + high);
    if (above == low) return;
    if (above == high && __atomic_compare_exchange_n(parents + high, &above, low, false,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return;
    }
    one = load(parents + above);
    other = load(parents + low);
  }
}

}  // namespace

Components::Components(const Csr* graph, int threads)
    : graph_(graph), threads_(threads), parents_(graph->nv()) {
  reset();  // the kernel allocates memory on first touch, which must not happen in find()
}

void Components::reset() {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t v = 0; v < parents_.size(); ++v) parents_[v] = Vertex(v);
}

int64_t Components::first_edges(int64_t v) const {
  return std::min(kFirst, graph_->degree(Vertex(v)));
}

// Links the first edges of each vertex. A list is loaded once, unlike in the rounds of the paper
// (total time at scale 20 on a busy EPYC: 26 instead of 32 ms).
void Components::link_first() {
  const int64_t nv = graph_->nv();
#pragma omp parallel for schedule(dynamic, kChunk) num_threads(threads_)
  for (int64_t v = 0; v < nv; ++v) {
    if (v + 2 * kAhead < nv) GRAPPA_PREFETCH_TO_READ(graph_->begin(Vertex(v + 2 * kAhead)));
    if (v + kAhead < nv) {
      const Vertex* const ahead = graph_->begin(Vertex(v + kAhead));
      for (int64_t i = 0; i < first_edges(v + kAhead); ++i) {
        GRAPPA_PREFETCH_TO_READ(parents_.data() + ahead[i]);
      }
    }
    const Vertex* const list = graph_->begin(Vertex(v));
    for (int64_t i = 0; i < first_edges(v); ++i) link(parents_.data(), Vertex(v), list[i]);
  }
}

// Links all other edges of the vertices outside of component `large`. An edge that is not linked at
// either end is within this component.
void Components::link_rest(Vertex large) {
  const int64_t nv = graph_->nv();
#pragma omp parallel for schedule(dynamic, kChunk) num_threads(threads_)
  for (int64_t v = 0; v < nv; ++v) {
    if (load(parents_.data() + v) == large) continue;
    const Vertex* const list = graph_->begin(Vertex(v));
    for (int64_t i = kFirst; i < graph_->degree(Vertex(v)); ++i) {
      link(parents_.data(), Vertex(v), list[i]);
    }
  }
}

// Makes every vertex a child of its root.
void Components::compress() {
#pragma omp parallel for schedule(dynamic, kChunk) num_threads(threads_)
  for (int64_t v = 0; v < parents_.size(); ++v) {
    Vertex parent = load(parents_.data() + v);
    for (Vertex above = load(parents_.data() + parent); above != parent;
         above = load(parents_.data() + parent)) {
      parent = above;
    }
    store(parents_.data() + v, parent);
  }
}

// Returns the most frequent label of a few random vertices.
Vertex Components::sample() const {
  std::minstd_rand random(27491095);
  std::uniform_int_distribution<int64_t> any(0, graph_->nv() - 1);
  std::vector<Vertex> labels;
  for (int i = 0; i < kSamples; ++i) labels.push_back(parents_[any(random)]);
  std::sort(labels.begin(), labels.end());
  Vertex most = labels.front();
  int64_t times = 0;
  for (auto begin = labels.cbegin(); begin != labels.cend();) {
    const auto end = std::upper_bound(begin, labels.cend(), *begin);
    if (end - begin > times) {
      times = end - begin;
      most = *begin;
    }
    begin = end;
  }
  return most;
}

const Vertex* Components::find() {
  reset();
  link_first();
  compress();
  link_rest(sample());
  compress();
  return parents_.data();
}

}  // namespace raw
