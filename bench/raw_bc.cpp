#include "bench/raw_bc.hpp"

#include "bench/raw_found.hpp"

#include <algorithm>
#include <cmath>

namespace raw {
namespace {

// Number of vertices that a thread takes at a time, as in GAP.
constexpr int kChunk = 64;

constexpr size_t kScaledLevels = 8;
constexpr double kLarge = 0x1p650;
constexpr int kScaledExponent = 500;  // so that smaller numbers of the level do not underflow

}  // namespace

Betweenness::Betweenness(const Csr* graph, int threads)
    : graph_(graph),
      threads_(threads),
      depths_(graph->nv()),
      paths_(graph->nv()),
      shares_(graph->nv()),
      scores_(graph->nv()),
      successors_(graph->entries() / 64 + 1),
      queue_(graph->nv()) {
  // The kernel allocates memory on first touch, which must not happen in find(). The threads touch
  // the parts that they clear there.
  const int64_t nv = graph->nv(), words = successors_.size();
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static) nowait
    for (int64_t v = 0; v < nv; ++v) {
      depths_[v] = 0;
      paths_[v] = 0;
      shares_[v] = 0;
      scores_[v] = 0;
      queue_[v] = 0;
    }
#pragma omp for schedule(static)
    for (int64_t word = 0; word < words; ++word) successors_[word] = 0;
  }
}

// Divides the numbers of paths of a level, if they are large.
void Betweenness::scale_level(int64_t begin, int64_t end) {
  factors_.push_back(1);
  if (factors_.size() % kScaledLevels != 0) return;
  double most = 0;
#pragma omp parallel for schedule(static) num_threads(threads_) reduction(max : most)
  for (int64_t k = begin; k < end; ++k) most = std::max(most, paths_[queue_[k]]);
  if (most < kLarge) return;
  const double factor = std::ldexp(1, kScaledExponent - std::ilogb(most));
  factors_.back() = factor;
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t k = begin; k < end; ++k) paths_[queue_[k]] *= factor;
}

void Betweenness::search(Vertex source) {
  const int64_t nv = graph_->nv(), words = successors_.size();
#pragma omp parallel num_threads(threads_)
  {
#pragma omp for schedule(static) nowait
    for (int64_t v = 0; v < nv; ++v) {
      depths_[v] = -1;
      paths_[v] = 0;
    }
#pragma omp for schedule(static)
    for (int64_t word = 0; word < words; ++word) successors_[word] = 0;
  }
  depths_[source] = 0;
  paths_[source] = 1;
  queue_[0] = source;
  levels_.assign(1, 0);
  factors_.clear();
  int64_t begin = 0, end = 1, next = 1;
  for (int32_t depth = 1; begin != end; ++depth) {
    levels_.push_back(end);
    scale_level(begin, end);
#pragma omp parallel num_threads(threads_)
    {
      Found found(queue_.data(), &next);
#pragma omp for schedule(dynamic, kChunk)
      for (int64_t k = begin; k < end; ++k) {
        const Vertex u = queue_[k];
        const double paths = paths_[u];
        const Vertex* const list_end = graph_->end(u);
        for (const Vertex* v = graph_->begin(u); v != list_end; ++v) {
          // Relaxed: no other memory depends on the depth; the region ends with a barrier.
          int32_t known = __atomic_load_n(&depths_[*v], __ATOMIC_RELAXED);
          if (known == -1 && __atomic_compare_exchange_n(&depths_[*v], &known, depth, false,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            found.add(*v);
            known = depth;
          }
          if (known != depth) continue;
          const int64_t entry = v - graph_->begin(0);
          __atomic_fetch_or(&successors_[entry / 64], uint64_t(1) << (entry % 64),
                            __ATOMIC_RELAXED);
#pragma omp atomic
          paths_[*v] += paths;
        }
      }
    }
    begin = end;
    end = next;
  }
}

// Visits the levels from the last but one to that of the neighbours of the source.
void Betweenness::add_scores() {
  const size_t last = levels_.size() - 2;
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t k = levels_[last]; k < levels_[last + 1]; ++k) {
    shares_[queue_[k]] = 1 / paths_[queue_[k]];
  }
  for (size_t level = last; level-- > 1;) {
    const double factor = factors_[level + 1];
#pragma omp parallel for schedule(dynamic, kChunk) num_threads(threads_)
    for (int64_t k = levels_[level]; k < levels_[level + 1]; ++k) {
      const Vertex u = queue_[k];
      double sum = 0;
      for (const Vertex* v = graph_->begin(u); v != graph_->end(u); ++v) {
        const int64_t entry = v - graph_->begin(0);
        if ((successors_[entry / 64] >> (entry % 64) & 1) == 0) continue;
        sum += shares_[*v];
      }
      const double score = sum * paths_[u] * factor;
      shares_[u] = (1 + score) / paths_[u];
      scores_[u] += score;
    }
  }
}

const double* Betweenness::find(const std::vector<Vertex>& sources) {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t v = 0; v < scores_.size(); ++v) scores_[v] = 0;
  for (const Vertex source : sources) {
    search(source);
    add_scores();
  }
  return scores_.data();
}

}  // namespace raw
