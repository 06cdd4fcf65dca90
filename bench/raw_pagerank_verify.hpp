#pragma once

/// Verification of PageRank in the memory of one process, from only the ranks and the input edges:
/// a serial Jacobi iteration in double, which shares no code with the measured programs.

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <vector>

namespace raw {

class RankCheck {
 public:
  /// Copies the `n` edges without self-loops and duplicates. Takes 8 bytes for each edge and 4
  /// bytes for each of the `nv` vertices.
  RankCheck(int64_t nv, const Grappa::TupleEdge* edges, int64_t n);

  /// Returns the error of the ranks: the sum of the changes of all ranks in one more iteration,
  /// plus |sum of all ranks - 1|. The result is not a number if a rank is not a number.
  double error_of(const float* ranks, double damping) const;

 private:
  const int64_t nv_;
  std::vector<uint64_t> edges_;  // the smaller end in the upper half, the larger in the lower half
  std::vector<int32_t> degrees_;
};

/// Returns the largest error of correct ranks.
double largest_error(double damping, double tolerance);

}  // namespace raw
