#pragma once

/// PageRank in the memory of one process, with OpenMP: the baseline of apps/pagerank. The code is
/// independent of Grappa.
///
/// The two algorithms are those of the GAP benchmark suite (S. Beamer, K. Asanovic, D. Patterson,
/// "The GAP Benchmark Suite", 2015). A vertex contributes its rank divided by its degree, and pulls
/// the contributions of its neighbours. Ranks and contributions are floats, as in GAP. There are
/// two differences from GAP:
/// - GAP loses the rank of vertices without neighbours. Here, as in apps/pagerank, this rank is
///   distributed evenly over all vertices, so the sum of all ranks converges to 1.
/// - The contributions of a vertex are added in double. A sum of floats can lose more than the
///   tolerance at a vertex with many neighbours.
///
/// Gauss-Seidel does not keep the sum of all ranks at 1. Therefore it solves the equation in which
/// this sum replaces 1, and divides the ranks by the sum in the end, as apps/pagerank does.
/// Otherwise, the sum would converge only by the factor of the damping in an iteration, and on
/// Kronecker graphs, Gauss-Seidel would need more than twice as many iterations.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>

namespace raw {

/// Keeps all memory, so find() allocates no memory. Only one call may run at a time.
class PageRank {
 public:
  enum class Algorithm {
    Jacobi,      // a vertex pulls the contributions of the previous iteration
    GaussSeidel  // a vertex pulls the newest contributions
  };

  struct Stop {
    double damping;      // less than 1
    double tolerance;    // an iteration that changes all ranks by less than this in sum is the last
    int64_t iterations;  // the largest number of iterations, at least 1
  };

  /// `graph` must outlive the object.
  PageRank(const Csr* graph, int threads);

  /// Returns the rank of each vertex. The array is valid until the next call, which resets all
  /// ranks. In both algorithms, an iteration distributes the rank that vertices without neighbours
  /// have had after the previous iteration. Gauss-Seidel with several threads is not repeatable.
  const float* find(Algorithm algorithm, const Stop& stop);

  /// Returns the number of iterations of the last call of find().
  int64_t iterations() const { return iterations_; }

 private:
  struct Sums {
    double change, ranks;
  };

  void reset();
  void contribute();
  void divide(float sum);
  template <Algorithm algorithm>
  Sums iterate(double base, double damping);

  const Csr* const graph_;
  const int threads_;
  int64_t isolated_ = 0;  // number of vertices without neighbours
  int64_t iterations_ = 0;
  Array<float> ranks_;
  Array<float> contributions_;
};

}  // namespace raw
