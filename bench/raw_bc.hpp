#pragma once

/// Betweenness centrality in the memory of one process, with OpenMP: the baseline of
/// apps/betweenness. The code is independent of Grappa.
///
/// The algorithm is that of the GAP benchmark suite (S. Beamer, K. Asanovic, D. Patterson, "The GAP
/// Benchmark Suite", 2015): a top-down search counts the shortest paths, and a bitmap over the
/// entries of all lists records the successors, so that the second phase reads the numbers of paths
/// of successors only. There are three differences from GAP:
/// - In a road network, GAP's numbers of paths overflow. Here, the numbers of a level are divided
///   by a power of two every 8 levels if they are large, as in apps/betweenness.
/// - Scores are sums of doubles, not floats, and are not divided by the highest score.
/// - The second phase reads one number of each successor, not its score and its number of paths.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>
#include <vector>

namespace raw {

/// Keeps all memory, so find() allocates little. Only one call may run at a time.
class Betweenness {
 public:
  /// `graph` must outlive the object.
  Betweenness(const Csr* graph, int threads);

  /// Returns the score of each vertex, the sum over these sources. The array is valid until the
  /// next call.
  const double* find(const std::vector<Vertex>& sources);

 private:
  void search(Vertex source);
  void scale_level(int64_t begin, int64_t end);
  void add_scores();

  const Csr* const graph_;
  const int threads_;
  Array<int32_t> depths_;
  Array<double> paths_;
  Array<double> shares_;  // what a predecessor gets for each of its paths
  Array<double> scores_;
  Array<uint64_t> successors_;   // a bit for each entry of a list
  Array<Vertex> queue_;          // all reached vertices, by level
  std::vector<int64_t> levels_;  // indices in queue_ of the first vertex of each level, and its end
  std::vector<double> factors_;  // by level: the factor of the numbers of paths
};

}  // namespace raw
