#include "bench/raw_pagerank_verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace raw {
namespace {

constexpr int kHalf = 32;

size_t upper(uint64_t edge) { return size_t(edge >> kHalf); }
size_t lower(uint64_t edge) { return size_t(edge & 0xffffffff); }

}  // namespace

RankCheck::RankCheck(int64_t nv, const Grappa::TupleEdge* edges, int64_t n)
    : nv_(nv), degrees_(static_cast<size_t>(nv)) {
  edges_.reserve(size_t(n));
  for (int64_t i = 0; i < n; ++i) {
    if (edges[i].v0 == edges[i].v1) continue;
    const uint64_t smaller = uint64_t(std::min(edges[i].v0, edges[i].v1));
    const uint64_t larger = uint64_t(std::max(edges[i].v0, edges[i].v1));
    edges_.push_back(smaller << kHalf | larger);
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  for (const uint64_t edge : edges_) {
    ++degrees_[upper(edge)];
    ++degrees_[lower(edge)];
  }
}

double RankCheck::error_of(const float* ranks, double damping) const {
  std::vector<double> arrived(static_cast<size_t>(nv_));
  for (const uint64_t edge : edges_) {
    const size_t u = upper(edge), v = lower(edge);
    arrived[v] += double(ranks[u]) / degrees_[u];
    arrived[u] += double(ranks[v]) / degrees_[v];
  }
  double sum = 0, isolated = 0;
  for (int64_t v = 0; v < nv_; ++v) {
    sum += double(ranks[v]);
    if (degrees_[size_t(v)] == 0) isolated += double(ranks[v]);
  }
  const double base = (1 - damping + damping * isolated) / double(nv_);
  double change = 0;
  for (int64_t v = 0; v < nv_; ++v) {
    change += std::abs(base + damping * arrived[size_t(v)] - double(ranks[v]));
  }
  return change + std::abs(sum - 1);
}

// All norms are sums of absolute values. x are the ranks after the last iteration, y are the ranks
// before it, d is the damping, F is an exact Jacobi iteration, in Gauss-Seidel of the equation in
// which the sum of all ranks replaces 1, and u = 2^-24 is the rounding error of a float of size 1.
//
// Change: the last iteration computes x from y, or, in Gauss-Seidel, partly from x. F(x) uses only
// x. F multiplies the norm of a difference by at most 1. Therefore |F(x) - x| is at most |x - y|
// plus the rounding. |x - y| is less than the tolerance. The rounding is at most u for the ranks,
// because their sum is 1, and d u for the contributions. The division of Gauss-Seidel by a rounded
// sum rounds again, by 2 u. In total, this is less than 4 u.
//
// Sum: Gauss-Seidel divides by the sum, which leaves at most 2 u. Jacobi keeps the sum in each
// iteration except for the rounding, and multiplies the error of earlier iterations by d. In total,
// the error of the sum is at most 2 u / (1 - d).
double largest_error(double damping, double tolerance) {
  const double u = std::ldexp(1.0, -24);
  return tolerance + 4 * u + 2 * u / (1 - damping);
}

}  // namespace raw
