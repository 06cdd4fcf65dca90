#include "bench/raw_sssp.hpp"

#include "structures/graph/edge_weight.hpp"

#include <algorithm>

#include <omp.h>

namespace raw {
namespace {

constexpr size_t kNoBucket = SIZE_MAX;

// A bucket that becomes larger than this is divided among the threads again, as in GAP.
constexpr size_t kMostFused = 1000;

// Number of vertices that a thread takes at a time, as in GAP.
constexpr int kFrontierChunk = 64;

uint32_t distance_at(const uint32_t* distance) {
  return __atomic_load_n(distance, __ATOMIC_RELAXED);
}

// Returns false if the distance is not greater than `value`.
bool lower_distance(uint32_t* distance, uint32_t value) {
  uint32_t old = distance_at(distance);
  while (value < old) {
    if (__atomic_compare_exchange_n(distance, &old, value, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
  }
  return false;
}

}  // namespace

ShortestPaths::ShortestPaths(const Csr* graph, uint64_t weight_seed, int64_t largest_weight,
                             int threads)
    : graph_(graph),
      threads_(threads),
      entries_(graph->entries()),
      distances_(graph->nv()),
      frontier_(graph->entries() + 1),
      buckets_(size_t(threads)) {
  const Vertex* const first = graph->begin(0);
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
  for (int64_t v = 0; v < graph->nv(); ++v) {
    for (const Vertex* at = graph->begin(Vertex(v)); at != graph->end(Vertex(v)); ++at) {
      entries_[at - first] = {*at,
                              uint32_t(Grappa::edge_weight(v, *at, weight_seed, largest_weight))};
    }
  }
}

void ShortestPaths::relax(Vertex v, uint32_t delta, Buckets* buckets) {
  const Vertex* const first = graph_->begin(0);
  const Entry* const end = entries_.data() + (graph_->end(v) - first);
  const uint32_t distance = distance_at(&distances_[v]);
  for (const Entry* entry = entries_.data() + (graph_->begin(v) - first); entry != end; ++entry) {
    const uint32_t next = distance + entry->weight;
    if (!lower_distance(&distances_[entry->neighbour], next)) continue;
    const size_t bucket = next / delta;
    if (bucket >= buckets->size()) buckets->resize(bucket + 1);
    (*buckets)[bucket].push_back(entry->neighbour);
  }
}

// All threads call this function. A vertex may be in a bucket repeatedly, or in a bucket of a
// greater distance than its own; in the second case, it is skipped.
void ShortestPaths::search(uint32_t delta, Buckets* buckets) {
  std::vector<Vertex> fused;
  for (size_t step = 0; nearest_[step % 2] != kNoBucket; ++step) {
    const size_t current = nearest_[step % 2];
    const size_t size = sizes_[step % 2];
    const auto is_current = [&](Vertex v) {
      return uint64_t(distance_at(&distances_[v])) >= uint64_t(delta) * current;
    };
#pragma omp for nowait schedule(dynamic, kFrontierChunk)
    for (size_t i = 0; i < size; ++i) {
      if (is_current(frontier_[int64_t(i)])) relax(frontier_[int64_t(i)], delta, buckets);
    }
    while (current < buckets->size() && !(*buckets)[current].empty() &&
           (*buckets)[current].size() < kMostFused) {
      fused.swap((*buckets)[current]);
      (*buckets)[current].clear();
      for (const Vertex v : fused) {
        if (is_current(v)) relax(v, delta, buckets);
      }
    }
    size_t mine = current;
    while (mine < buckets->size() && (*buckets)[mine].empty()) ++mine;
    if (mine < buckets->size()) {
#pragma omp critical
      nearest_[(step + 1) % 2] = std::min(nearest_[(step + 1) % 2], mine);
    }
#pragma omp barrier
    const size_t next = nearest_[(step + 1) % 2];
    if (next < buckets->size() && !(*buckets)[next].empty()) {
      std::vector<Vertex>& bucket = (*buckets)[next];
      const size_t at =
          __atomic_fetch_add(&sizes_[(step + 1) % 2], bucket.size(), __ATOMIC_RELAXED);
      std::copy(bucket.begin(), bucket.end(), frontier_.data() + at);
      bucket.clear();
    }
#pragma omp single
    {
      sizes_[step % 2] = 0;
      nearest_[step % 2] = kNoBucket;
    }  // acts as a barrier, too
  }
}

const uint32_t* ShortestPaths::find(Vertex root, uint32_t delta) {
  frontier_[0] = root;
  sizes_[0] = 1;
  sizes_[1] = 0;
  nearest_[0] = 0;
  nearest_[1] = kNoBucket;
#pragma omp parallel num_threads(threads_)
  {
#pragma omp for schedule(static)
    for (int64_t v = 0; v < distances_.size(); ++v) distances_[v] = v == root ? 0 : kUnreached;
    search(delta, &buckets_[size_t(omp_get_thread_num())]);
  }
  return distances_.data();
}

}  // namespace raw
