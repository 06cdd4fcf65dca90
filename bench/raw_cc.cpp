#include "bench/raw_cc.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace raw {
namespace {

// Edges of each vertex that are linked before the sample is taken: the paper's.
constexpr int64_t kFirst = 2;
constexpr int kSamples = 1024;

// What a thread takes at a time, where lists differ in length.
constexpr int64_t kChunk = 4096;

// How far ahead memory is prefetched.
constexpr int64_t kAhead = 16;

// Relaxed: a parent is a number that only ever becomes smaller, and any value that it has had names
// a vertex of the same tree.
Vertex load(const Vertex* parent) { return __atomic_load_n(parent, __ATOMIC_RELAXED); }
void store(Vertex* parent, Vertex value) { __atomic_store_n(parent, value, __ATOMIC_RELAXED); }

// Joins the trees of two vertices. The larger of two ancestors is linked to the smaller if it is a
// root, else both move up: so there is never a cycle, whoever links what at the same time.
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
  reset();  // the kernel gives memory where it is first touched: not when components are found
}

void Components::reset() {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t v = 0; v < parents_.size(); ++v) parents_[v] = Vertex(v);
}

int64_t Components::first_edges(int64_t v) const {
  return std::min(kFirst, graph_->degree(Vertex(v)));
}

// The first edges of each vertex, all rounds of the paper in one: a list is then fetched once. (At
// scale 20 on a busy EPYC: 26 instead of 32 ms for everything.)
void Components::link_first() {
  const int64_t nv = graph_->nv();
#pragma omp parallel for schedule(dynamic, kChunk) num_threads(threads_)
  for (int64_t v = 0; v < nv; ++v) {
    if (v + 2 * kAhead < nv) __builtin_prefetch(graph_->begin(Vertex(v + 2 * kAhead)));
    if (v + kAhead < nv) {
      const Vertex* const ahead = graph_->begin(Vertex(v + kAhead));
      for (int64_t i = 0; i < first_edges(v + kAhead); ++i) {
        __builtin_prefetch(parents_.data() + ahead[i]);
      }
    }
    const Vertex* const list = graph_->begin(Vertex(v));
    for (int64_t i = 0; i < first_edges(v); ++i) link(parents_.data(), Vertex(v), list[i]);
  }
}

// All other edges of the vertices outside of one component. An edge that neither end links is one
// within it.
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

// The label that most of a few random vertices have.
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
