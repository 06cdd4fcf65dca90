#include "apps/pagerank/pagerank.hpp"

#include <cmath>

namespace pagerank {
namespace {

using Grappa::GlobalAddress;
typedef RankGraph::Vertex Vertex;
typedef RankGraph::Edge Edge;
typedef Grappa::Reducer<double, Grappa::ReducerType::Add> Sum;

Sum stuck, sum, change;

double share(const Vertex& v) { return v->rank / double(v.nadj); }

// Returns the part of a rank that is the same for all vertices.
double base_rank(GlobalAddress<RankGraph> g, double damping) {
  stuck = 0;
  Grappa::forall(g, [](Vertex& v) { stuck += v.nadj == 0 ? v->rank : 0; });
  return (1 - damping + damping * stuck) / double(g->nv);
}

// Computes the new ranks from the shares that have arrived. Returns the sum of all changes.
double update(GlobalAddress<RankGraph> g, double damping) {
  const double base = base_rank(g, damping);
  change = 0;
  Grappa::forall(g, [base, damping](Vertex& v) {
    const double rank = base + damping * v->arrived;
    change += std::abs(rank - v->rank);
    v.data = State{rank, 0};
  });
  return change;
}

}  // namespace

int64_t find_ranks(GlobalAddress<RankGraph> g, double damping, double tolerance, int64_t most) {
  Grappa::forall(g, [g](Vertex& v) { v.data = State{1 / double(g->nv), 0}; });
  for (int64_t iteration = 1;; ++iteration) {
    Grappa::forall(g, [g](Vertex& v) {
      const double given = share(v);
      Grappa::serial_for(adj(g, v), [given](Edge& e) {
        Grappa::delegate::call<Grappa::async>(e.ga, [given](Vertex& w) { w->arrived += given; });
      });
    });
    if (update(g, damping) <= tolerance || iteration == most) return iteration;
  }
}

double error_of(GlobalAddress<RankGraph> g, double damping) {
  sum = 0;
  Grappa::forall(g, [g](Grappa::VertexID id, Vertex& v) {
    sum += v->rank;
    const GlobalAddress<Vertex> asker = g->vs + id;
    Grappa::serial_for(adj(g, v), [asker](Edge& e) {
      Grappa::delegate::call<Grappa::async>(e.ga, [asker](Vertex& w) {
        const double given = share(w);
        Grappa::delegate::call<Grappa::async>(asker, [given](Vertex& x) { x->arrived += given; });
      });
    });
  });
  return std::abs(sum - 1) + update(g, damping);
}

}  // namespace pagerank
