#pragma once

/// Shortest paths in the memory of one process, with OpenMP: the baseline of apps/sssp. The code is
/// independent of Grappa, except for the weight of an edge.
///
/// The algorithm is that of the GAP benchmark suite (S. Beamer, K. Asanovic, D. Patterson, "The GAP
/// Benchmark Suite", 2015): delta-stepping (U. Meyer, P. Sanders, "Delta-Stepping: A Parallelizable
/// Shortest Path Algorithm", Journal of Algorithms 49, 2003), in which all edges are light, with
/// bucket fusion (Y. Zhang et al., "Optimizing Ordered Graph Algorithms with GraphIt", CGO 2020).
/// Distances have 4 bytes, and an entry of a list is a pair of neighbour and weight, as in GAP.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>
#include <vector>

namespace raw {

/// Keeps all memory, so find() allocates only the memory by which buckets grow. Only one call may
/// run at a time.
class ShortestPaths {
 public:
  static constexpr uint32_t kUnreached = UINT32_MAX;

  /// Weights are those of Grappa::edge_weight. `graph` must outlive the object.
  ShortestPaths(const Csr* graph, uint64_t weight_seed, int64_t largest_weight, int threads);

  /// Returns the distance of each vertex. The array is valid until the next call. `delta` is the
  /// width of a bucket. All distances must be less than 2^32 - 1.
  const uint32_t* find(Vertex root, uint32_t delta);

 private:
  struct Entry {
    Vertex neighbour;
    uint32_t weight;
  };
  typedef std::vector<std::vector<Vertex>> Buckets;  // of one thread

  void relax(Vertex v, uint32_t delta, Buckets* buckets);
  void search(uint32_t delta, Buckets* buckets);

  const Csr* const graph_;
  const int threads_;
  Array<Entry> entries_;
  Array<uint32_t> distances_;
  Array<Vertex> frontier_;
  std::vector<Buckets> buckets_;  // by thread

  // Written between barriers. Two of each, so that a thread may prepare the next step.
  size_t sizes_[2] = {0, 0};    // of the frontier
  size_t nearest_[2] = {0, 0};  // the bucket that the frontier contains
};

}  // namespace raw
