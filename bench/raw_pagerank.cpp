#include "bench/raw_pagerank.hpp"

#include <algorithm>
#include <cmath>

namespace raw {
namespace {

// Number of vertices that a thread takes at a time.
constexpr int64_t kChunk = 4096;

// In Gauss-Seidel, a thread pulls either the old or the new contribution of a vertex that another
// thread updates, and both are correct. The load is volatile, because the compiler moves the result
// of an atomic load of a float through an integer register. The processor reads 4 bytes at once.
template <PageRank::Algorithm algorithm>
double load(const float* contribution) {
  if constexpr (algorithm == PageRank::Algorithm::Jacobi) return double(*contribution);
  return double(*static_cast<const volatile float*>(contribution));
}
void store(float* contribution, float value) {
  __atomic_store(contribution, &value, __ATOMIC_RELAXED);
}

// No vertex pulls from a vertex without neighbours, whose contribution may be any number.
float contribution(float rank, int64_t degree) {
  return rank / float(std::max(degree, int64_t(1)));
}

// Four sums, because each addition waits for the previous addition to the same sum.
template <PageRank::Algorithm algorithm>
double pull(const float* contributions, const Vertex* begin, const Vertex* end) {
  double sum = 0, second = 0, third = 0, fourth = 0;
  for (; end - begin >= 4; begin += 4) {
    sum += load<algorithm>(contributions + begin[0]);
    second += load<algorithm>(contributions + begin[1]);
    third += load<algorithm>(contributions + begin[2]);
    fourth += load<algorithm>(contributions + begin[3]);
  }
  for (; begin != end; ++begin) sum += load<algorithm>(contributions + *begin);
  return (sum + second) + (third + fourth);
}

}  // namespace

PageRank::PageRank(const Csr* graph, int threads)
    : graph_(graph), threads_(threads), ranks_(graph->nv()), contributions_(graph->nv()) {
  reset();  // the kernel allocates memory on first touch, which must not happen in find()
}

void PageRank::reset() {
  const float rank = float(1 / double(graph_->nv()));
  int64_t isolated = 0;
#pragma omp parallel for schedule(static) num_threads(threads_) reduction(+ : isolated)
  for (int64_t v = 0; v < ranks_.size(); ++v) {
    const int64_t degree = graph_->degree(Vertex(v));
    isolated += degree == 0;
    ranks_[v] = rank;
    contributions_[v] = contribution(rank, degree);
  }
  isolated_ = isolated;
}

// Computes the contributions of Jacobi from the new ranks.
void PageRank::contribute() {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t v = 0; v < ranks_.size(); ++v) {
    contributions_[v] = contribution(ranks_[v], graph_->degree(Vertex(v)));
  }
}

// Returns the sums of the changes of all ranks, and of the new ranks. `base` is the part of a rank
// that is the same for all vertices.
template <PageRank::Algorithm algorithm>
PageRank::Sums PageRank::iterate(double base, double damping) {
  const int64_t nv = graph_->nv();
  float* const contributions = contributions_.data();
  double change = 0, ranks = 0;
#pragma omp parallel for schedule(dynamic, kChunk) num_threads(threads_) \
    reduction(+ : change, ranks)
  for (int64_t v = 0; v < nv; ++v) {
    const Vertex* const begin = graph_->begin(Vertex(v));
    const Vertex* const end = graph_->end(Vertex(v));
    const float rank = float(base + damping * pull<algorithm>(contributions, begin, end));
    change += std::abs(double(rank) - double(ranks_[v]));
    ranks_[v] = rank;
    ranks += double(rank);
    if (algorithm == Algorithm::GaussSeidel) {
      store(contributions + v, contribution(rank, end - begin));
    }
  }
  return Sums{change, ranks};
}

// All vertices without neighbours have the same rank, which is 1/nv at first and then the base of
// the previous iteration. The sum of their ranks therefore needs no loop.
const float* PageRank::find(Algorithm algorithm, const Stop& stop) {
  reset();
  const double nv = double(graph_->nv());
  const bool jacobi = algorithm == Algorithm::Jacobi;
  float isolated_rank = float(1 / nv);
  Sums sums = {0, 1};
  for (iterations_ = 1;; ++iterations_) {
    const double isolated_sum = double(isolated_) * double(isolated_rank);
    const double base = ((1 - stop.damping) * sums.ranks + stop.damping * isolated_sum) / nv;
    sums = jacobi ? iterate<Algorithm::Jacobi>(base, stop.damping)
                  : iterate<Algorithm::GaussSeidel>(base, stop.damping);
    if (sums.change < stop.tolerance * sums.ranks || iterations_ == stop.iterations) break;
    isolated_rank = float(base);
    if (!jacobi) continue;
    sums.ranks = 1;  // except for rounding errors, which then become smaller again
    contribute();
  }
  if (!jacobi) divide(float(sums.ranks));
  return ranks_.data();
}

void PageRank::divide(float sum) {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int64_t v = 0; v < ranks_.size(); ++v) ranks_[v] /= sum;
}

}  // namespace raw
