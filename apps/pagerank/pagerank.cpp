#include "apps/pagerank/pagerank.hpp"

#include "apps/common/charge.hpp"
#include "apps/common/neighbour_sum.hpp"
#include "structures/graph/mirror.hpp"
#include "system/base/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace pagerank {
namespace {

using Grappa::GlobalAddress;
using Grappa::Mirror;
typedef RankGraph::Vertex Vertex;

/// Sums over the vertices of a core, or of all cores.
struct Sums {
  double ranks, stuck;  // of all vertices; of those without neighbours
  double change;        // of the ranks, in the last iteration
};

Sums add(const Sums& a, const Sums& b) {
  return Sums{a.ranks + b.ranks, a.stuck + b.stuck, a.change + b.change};
}

/// The ranks of the vertices of one core. Real: the type of ranks and shares. Slot: uint32_t or
/// uint64_t, as in the lists.
template <class Real, class Slot, Method method>
class Ranks {
 public:
  Ranks(GlobalAddress<RankGraph> g, const Options& options, Mirror<Real>* shares)
      : options_(options),
        lists_(g->csr()),
        shares_(*shares),
        own_slots_(lists_.layout().slot(Grappa::mycore(), 0)),
        start_(1 / double(g->nv)),
        ranks_(static_cast<size_t>(lists_.vertices()), Real(start_)),
        copy_(method == Method::GaussSeidel ? lists_.layout().slots() : 0) {}

  /// From: a task on every core, at the same time. Suspends until all cores have finished. Returns
  /// the number of iterations.
  int64_t find() {
    Sums now = {1, 0, 0};
    for (int64_t place = 0; place < lists_.vertices(); ++place) {
      isolated_ += lists_.size(place) == 0 ? 1 : 0;
      set_share(place, start_);
    }
    now.stuck = Grappa::allreduce<int64_t, Grappa::collective_add>(isolated_) * start_;
    int64_t iteration = 0;
    do {
      shares_.refresh_here(true);
      // Gauss-Seidel does not keep the sum of all ranks. Until the end, the sum replaces 1.
      const double all = method == Method::Jacobi ? 1 : now.ranks;
      const double base = ((1 - options_.damping) * all + options_.damping * now.stuck) * start_;
      now = Grappa::allreduce<Sums, add>(iterate(base));
    } while (++iteration < options_.max_iterations && now.change > options_.tolerance * now.ranks);
    if (method == Method::GaussSeidel) divide(now.ranks);
    return iteration;
  }

  double rank(int64_t place) const { return ranks_[static_cast<size_t>(place)]; }

 private:
  static constexpr double kVertexNs = 3, kEntryNs = 1.3;  // estimates

  void set_share(int64_t place, double rank) {
    const int64_t neighbours = lists_.size(place);
    const Real share = Real(rank) / Real(std::max<int64_t>(neighbours, 1));
    shares_.own()[place] = share;
    if (method == Method::GaussSeidel) copy_[own_slots_ + static_cast<size_t>(place)] = share;
  }

  // Computes the new ranks and shares. `base` is the part of a rank that is the same for all
  // vertices.
  Sums iterate(double base) {
    Sums found = {0, double(isolated_) * base, 0};
    const Real* const shares = given();
    for (int64_t place = 0; place < lists_.vertices(); ++place) {
      Real& rank = ranks_[static_cast<size_t>(place)];
      const double arrived = apps::sum_of_neighbours(shares, apps::list_of<Slot>(lists_, place));
      const double next = base + options_.damping * arrived;
      found.change += std::abs(next - double(rank));
      found.ranks += next;
      rank = Real(next);
      set_share(place, next);
    }
    apps::charge(lists_.vertices(), kVertexNs);
    apps::charge(lists_.entries(), kEntryNs);
    return found;
  }

  // The shares that an iteration reads, by slot. In Gauss-Seidel, this core has a copy, in which it
  // updates the shares of its vertices.
  const Real* given() {
    if (method == Method::Jacobi) return shares_.values();
    std::copy_n(shares_.values(), copy_.size(), copy_.begin());
    return copy_.data();
  }

  void divide(double sum) {
    for (Real& rank : ranks_) rank = Real(double(rank) / sum);
  }

  const Options options_;
  const Grappa::detail::Csr& lists_;
  Mirror<Real>& shares_;
  const uint64_t own_slots_;  // the first slot of this core
  const double start_;        // the first rank of each vertex
  int64_t isolated_ = 0;      // vertices without neighbours
  std::vector<Real> ranks_;
  std::vector<Real> copy_;  // in Gauss-Seidel, shares by slot
};

template <class Real, class Slot, Method method>
int64_t find(GlobalAddress<RankGraph> g, const Options& options) {
  const GlobalAddress<Mirror<Real>> shares = Mirror<Real>::create(g);
  static int64_t iterations;  // on each core
  Grappa::on_all_cores([g, options, shares] {
    Ranks<Real, Slot, method> ranks(g, options, shares.pointer());
    iterations = ranks.find();
    int64_t place = 0;
    for (Vertex& v : g->own_vertices()) v->rank = ranks.rank(place++);
  });
  shares->destroy();
  return iterations;
}

template <class Real, class Slot>
int64_t find(GlobalAddress<RankGraph> g, const Options& options) {
  return options.method == Method::Jacobi ? find<Real, Slot, Method::Jacobi>(g, options)
                                          : find<Real, Slot, Method::GaussSeidel>(g, options);
}

template <class Real>
int64_t find(GlobalAddress<RankGraph> g, const Options& options) {
  return g->csr().slot_bytes() == sizeof(uint32_t) ? find<Real, uint32_t>(g, options)
                                                   : find<Real, uint64_t>(g, options);
}

}  // namespace

bool float_suffices(const Options& options) {
  return options.tolerance * (1 - options.damping) >= std::ldexp(1.0, -23);
}

int64_t find_ranks(GlobalAddress<RankGraph> g, const Options& options) {
  GRAPPA_CHECK(!g->directed) << "the ranks of a directed graph: the lists have out-neighbours only";
  return float_suffices(options) ? find<float>(g, options) : find<double>(g, options);
}

}  // namespace pagerank
