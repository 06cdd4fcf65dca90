#pragma once

/// Verification of betweenness centrality in the memory of one process, from only the scores and
/// the input edges: a serial computation, which shares no code with the measured programs.

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <vector>

namespace raw {

class ScoreCheck {
 public:
  /// Computes the scores by Brandes' algorithm. Instead of numbers of paths, each vertex has the
  /// logarithm of the number. Temporarily takes 16 bytes for each edge.
  ScoreCheck(int64_t nv, const Grappa::TupleEdge* edges, int64_t n,
             const std::vector<int32_t>& sources);

  /// Returns the largest relative error of a score. The result is not a number if a score is not a
  /// number.
  double error_of(const double* scores) const;

 private:
  std::vector<double> scores_;
};

/// The largest error of right scores. The logarithms of large numbers are less exact.
constexpr double kLargestScoreError = 1e-7;

}  // namespace raw
