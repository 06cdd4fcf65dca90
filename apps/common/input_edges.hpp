#pragma once

/// The edges of an undirected input graph, for verification: a list of edges, or the lists of
/// neighbours of a graph that has no list of edges. An edge of lists of neighbours is passed to
/// loops once, with v0 < v1, as edges_of() returns it, but takes no additional memory.

#include <Grappa.hpp>

#include "structures/graph/csr/visit_lists.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <cstdint>

namespace apps {

/// Trivially copyable. The list or the graph must outlive the object.
class InputEdges {
 public:
  /// Not explicit, so that verifiers accept a list of edges.
  InputEdges(const Grappa::TupleGraph& list) : list_(list) {}
  explicit InputEdges(Grappa::GlobalAddress<Grappa::detail::Csr> lists) : lists_(lists) {
    list_.nv = lists->layout().nv();
    list_.nedge = lists->all_entries() / 2;
  }

  int64_t nv() const { return list_.nv; }
  int64_t nedge() const { return list_.nedge; }

  /// Calls body(v0, v1) for each edge on any core. From: task. Suspends: until done. Messages:
  /// those of the body; for a list of edges, also those of forall.
  template <class F>
  void for_each(const F& body) const {
    if (lists_) {
      return Grappa::detail::visit_lists(
          lists_, "verifying", [body](const Grappa::detail::Csr& mine, int64_t place) {
            mine.for_each_entry(place, [&body](Grappa::VertexID v, Grappa::VertexID neighbour) {
              if (v < neighbour) body(v, neighbour);
            });
          });
    }
    Grappa::forall(list_.edges, list_.nedge, [body](Grappa::TupleEdge& e) { body(e.v0, e.v1); });
  }

  /// Adds the edges to the counters of their vertices: each edge of a list to that of its v0, and
  /// each edge of lists of neighbours to those of both vertices. `counts` is linear. In the sum
  /// over a whole component, each edge is counted counted_times() times. From: task. Suspends:
  /// until done. Messages: 1 for each edge of a list, or for each vertex.
  void count(Grappa::GlobalAddress<int64_t> counts) const {
    if (lists_) {
      return Grappa::detail::visit_lists(
          lists_, "verifying", [counts](const Grappa::detail::Csr& mine, int64_t place) {
            const Grappa::VertexID v = mine.layout().id(Grappa::mycore(), place);
            Grappa::delegate::increment<Grappa::async>(counts + v, mine.size(place));
          });
    }
    Grappa::forall(list_.edges, list_.nedge, [counts](Grappa::TupleEdge& e) {
      Grappa::delegate::increment<Grappa::async>(counts + e.v0, 1);
    });
  }
  int64_t counted_times() const { return lists_ ? 2 : 1; }

 private:
  Grappa::TupleGraph list_;  // `edges` is null if lists_ is not
  Grappa::GlobalAddress<Grappa::detail::Csr> lists_;
};

}  // namespace apps
