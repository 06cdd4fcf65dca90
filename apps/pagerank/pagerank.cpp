#include "apps/pagerank/pagerank.hpp"

#include "apps/common/charge.hpp"
#include "apps/common/neighbour_sum.hpp"
#include "structures/graph/mirror.hpp"
#include "system/base/check.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/locale_array.hpp"

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

/// Local indices of vertices.
struct Range {
  int64_t first, end;
};

/// The vertices of a step, of `vertices` vertices.
Range range_of(int64_t step, int64_t steps, int64_t vertices) {
  return {vertices * step / steps, vertices * (step + 1) / steps};
}

/// The shares of Jacobi's method: a sweep reads those of the sweep before.
template <class Real>
class EarlierShares {
 public:
  static constexpr int64_t kSteps = 1;    // of a sweep
  static constexpr bool kLatest = false;  // true: a sweep reads shares that it has set
  typedef Mirror<Real> Shared;
  static GlobalAddress<Shared> create(GlobalAddress<RankGraph> g) { return Shared::create(g); }
  static void destroy(GlobalAddress<Shared> shared) { shared->destroy(); }

  EarlierShares(const Grappa::detail::VertexLayout& /*layout*/, Shared* shared)
      : mirror_(*shared) {}

  const Real* all() const { return mirror_.values(); }  // by slot
  Real* own() { return mirror_.own(); }                 // of this core, by local index
  void publish_all() { mirror_.refresh_here(true); }
  void publish(int64_t /*step*/) { publish_all(); }

 private:
  Mirror<Real>& mirror_;
};

/// The shares of the Gauss-Seidel method: a sweep reads the latest shares of this core, and of the
/// other cores those of their last complete step. A core has a copy of all shares, because those of
/// other cores must not change during a step.
template <class Real>
class LatestShares {
 public:
  /// With 8 steps, 2 to 8 cores need 12 or 13 sweeps of a Kronecker graph of scale 18, one core 11,
  /// and with one step 17.
  static constexpr int64_t kSteps = 8;
  static constexpr bool kLatest = true;
  typedef Grappa::detail::LocaleArray<Real> Shared;
  static GlobalAddress<Shared> create(GlobalAddress<RankGraph> g) {
    return Shared::create(int64_t{1} << g->csr().layout().index_bits());
  }
  static void destroy(GlobalAddress<Shared> shared) { Grappa::global_free(shared); }

  LatestShares(const Grappa::detail::VertexLayout& layout, Shared* shared)
      : layout_(layout),
        shared_(*shared),
        copy_(layout.slots()),
        own_(copy_.data() + layout.slot(Grappa::mycore(), 0)) {}

  const Real* all() const { return copy_.data(); }
  Real* own() { return own_; }

  void publish_all() {
    publish([this](Grappa::Core core) { return Range{0, layout_.vertices_of(core)}; });
    Grappa::barrier();  // the next step writes a range that others still read
  }
  void publish(int64_t step) {
    publish([this, step](Grappa::Core core) {
      return range_of(step, kSteps, layout_.vertices_of(core));
    });
  }

 private:
  // One barrier is enough for a step: a core reads the ranges of a step while others may write
  // those of the next step.
  template <class F>
  void publish(const F& changed) {
    copy(Grappa::mycore(), changed(Grappa::mycore()), copy_.data(), shared_.all());
    shared_.share([&changed](Grappa::Core core) {
      const Range range = changed(core);
      return typename Shared::Range{range.first, range.end - range.first};
    });
    Grappa::barrier();
    for (Grappa::Core core = 0; core < Grappa::cores(); ++core) {
      if (core != Grappa::mycore()) copy(core, changed(core), shared_.all(), copy_.data());
    }
  }

  void copy(Grappa::Core core, Range range, const Real* from, Real* to) const {
    const uint64_t first = layout_.slot(core, range.first);
    std::copy_n(from + first, range.end - range.first, to + first);
  }

  const Grappa::detail::VertexLayout& layout_;
  Shared& shared_;
  std::vector<Real> copy_;  // by slot
  Real* const own_;
};

/// The ranks of the vertices of one core. Shares: EarlierShares<Real> or LatestShares<Real>. Real:
/// the type of ranks and shares. Slot: uint32_t or uint64_t, as in the lists.
template <class Real, class Slot, class Shares>
class Ranks {
 public:
  Ranks(GlobalAddress<RankGraph> g, const Options& options, typename Shares::Shared* shared)
      : options_(options),
        lists_(g->csr()),
        shares_(lists_.layout(), shared),
        start_(1 / double(g->nv)),
        ranks_(static_cast<size_t>(lists_.vertices()), Real(start_)) {}

  /// From: a task on every core, at the same time. Suspends until all cores have finished. Returns
  /// the number of iterations.
  int64_t find() {
    const bool jacobi = options_.method == Method::Jacobi;
    Sums now = {1, 0, 0};
    for (int64_t place = 0; place < lists_.vertices(); ++place) {
      isolated_ += lists_.size(place) == 0 ? 1 : 0;
    }
    set_shares(Range{0, lists_.vertices()});
    now.stuck = Grappa::allreduce<int64_t, Grappa::collective_add>(isolated_) * start_;
    int64_t iteration = 0;
    do {
      // Gauss-Seidel does not keep the sum of all ranks. Until the end, the sum replaces 1.
      const double all = jacobi ? 1 : now.ranks;
      const double base = ((1 - options_.damping) * all + options_.damping * now.stuck) * start_;
      now = Grappa::allreduce<Sums, add>(iterate(base));
    } while (++iteration < options_.max_iterations && now.change > options_.tolerance * now.ranks);
    if (!jacobi) divide(now.ranks);
    return iteration;
  }

  double rank(int64_t place) const { return ranks_[static_cast<size_t>(place)]; }

 private:
  static constexpr double kVertexNs = 3, kEntryNs = 1.3;  // estimates

  // In the loop over the lists, the divisions made an iteration 1.05 to 1.17 times as long
  // (Kronecker graph, scale 18, bench kernels --kernel=pr).
  void set_shares(Range vertices) {
    Real* const shares = shares_.own();
    const uint64_t* const firsts = lists_.firsts();
    for (int64_t place = vertices.first; place < vertices.end; ++place) {
      const uint64_t neighbours = firsts[place + 1] - firsts[place];
      shares[place] = ranks_[static_cast<size_t>(place)] / Real(std::max<uint64_t>(neighbours, 1));
    }
  }

  // Computes the new ranks and shares of all vertices. `base` is the part of a rank that is the
  // same for all vertices. Suspends: until all cores have published the shares of earlier steps.
  Sums iterate(double base) {
    Sums found = {0, double(isolated_) * base, 0};
    for (int64_t step = 0; step < Shares::kSteps; ++step) {
      if (steps_ == 0) {
        shares_.publish_all();
      } else {
        shares_.publish((steps_ - 1) % Shares::kSteps);
      }
      update(range_of(step, Shares::kSteps, lists_.vertices()), base, &found);
      ++steps_;
    }
    return found;
  }

  void update(Range vertices, double base, Sums* found) {
    const Real* const shares = shares_.all();
    for (int64_t place = vertices.first; place < vertices.end; ++place) {
      Real& rank = ranks_[static_cast<size_t>(place)];
      const double arrived = apps::sum_of_neighbours(shares, apps::list_of<Slot>(lists_, place));
      const double next = base + options_.damping * arrived;
      found->change += std::abs(next - double(rank));
      found->ranks += next;
      rank = Real(next);
      if (Shares::kLatest) set_shares(Range{place, place + 1});
    }
    if (!Shares::kLatest) set_shares(vertices);
    apps::charge(vertices.end - vertices.first, kVertexNs);
    apps::charge(lists_.first(vertices.end) - lists_.first(vertices.first), kEntryNs);
  }

  void divide(double sum) {
    for (Real& rank : ranks_) rank = Real(double(rank) / sum);
  }

  const Options options_;
  const Grappa::detail::Csr& lists_;
  Shares shares_;
  const double start_;    // the first rank of each vertex
  int64_t isolated_ = 0;  // vertices without neighbours
  int64_t steps_ = 0;     // that update() has done
  std::vector<Real> ranks_;
};

template <class Real, class Slot, class Shares>
int64_t find(GlobalAddress<RankGraph> g, const Options& options) {
  const auto shared = Shares::create(g);
  static int64_t iterations;  // on each core
  Grappa::on_all_cores([g, options, shared] {
    Ranks<Real, Slot, Shares> ranks(g, options, shared.pointer());
    iterations = ranks.find();
    int64_t place = 0;
    for (Vertex& v : g->own_vertices()) v->rank = ranks.rank(place++);
  });
  Shares::destroy(shared);
  return iterations;
}

template <class Real, class Slot>
int64_t find(GlobalAddress<RankGraph> g, const Options& options) {
  return options.method == Method::Jacobi ? find<Real, Slot, EarlierShares<Real>>(g, options)
                                          : find<Real, Slot, LatestShares<Real>>(g, options);
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
