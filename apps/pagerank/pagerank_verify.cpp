#include "apps/pagerank/pagerank.hpp"

#include <cmath>
#include <cstdint>

namespace pagerank {
namespace {

using Grappa::GlobalAddress;
typedef RankGraph::Vertex Vertex;
typedef RankGraph::Edge Edge;

// Sums over the vertices of a core, or of all cores.
struct CheckedSums {
  double ranks, stuck;  // of all vertices; of those without neighbours
  double change;        // of the ranks
} sums;

CheckedSums add_checked(const CheckedSums& a, const CheckedSums& b) {
  return CheckedSums{a.ranks + b.ranks, a.stuck + b.stuck, a.change + b.change};
}

double share_of(const Vertex& v) { return v->rank / double(v.nadj); }

void count(const Vertex& v, double change) {
  sums.ranks += v->rank;
  if (v.nadj == 0) sums.stuck += v->rank;
  sums.change += change;
}

// Runs `body` for all vertices. Returns the sums of what it counts.
template <class F>
CheckedSums sums_of(GlobalAddress<RankGraph> g, F body) {
  Grappa::on_all_cores([] { sums = CheckedSums(); });
  Grappa::forall(g, body);
  return Grappa::reduce<CheckedSums, add_checked>(&sums);
}

}  // namespace

double error_of(GlobalAddress<RankGraph> g, double damping) {
  const auto arrived = Grappa::global_alloc<double>(g->nv);
  Grappa::memset(arrived, 0.0, g->nv);
  const CheckedSums now = sums_of(g, [g, arrived](Grappa::VertexID id, Vertex& v) {
    count(v, 0);
    const GlobalAddress<double> asker = arrived + id;
    Grappa::serial_for(adj(g, v), [asker](Edge& e) {
      Grappa::delegate::call<Grappa::async>(e.ga, [asker](Vertex& w) {
        Grappa::delegate::increment<Grappa::async>(asker, share_of(w));
      });
    });
  });
  const double base = (1 - damping + damping * now.stuck) / double(g->nv);
  const CheckedSums next = sums_of(g, [arrived, base, damping](Grappa::VertexID id, Vertex& v) {
    const double rank = base + damping * Grappa::delegate::read(arrived + id);
    count(v, std::abs(rank - v->rank));
  });
  Grappa::global_free(arrived);
  return std::abs(now.ranks - 1) + next.change;
}

// An iteration rounds each rank and each share, by 2^-24 of it. It changes the sum by that much,
// and keeps `damping` of earlier changes.
double largest_error(const Options& options) {
  if (!float_suffices(options)) return options.tolerance + 1e-9;
  return options.tolerance + std::ldexp(1.0, -22) + std::ldexp(1.0, -23) / (1 - options.damping);
}

}  // namespace pagerank
