#pragma once

/// A loop over the attributes of the entries of lists of neighbours.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/progress.hpp"

#include <cstdint>

namespace Grappa { namespace detail {

/// Calls visit(entry, attributes) for the entry of `neighbour` in the list of the vertex at
/// `place`, on the core of the list.
template <class Visit>
struct AttributeMessage {
  GlobalAddress<Csr> csr;
  int64_t place;
  VertexID neighbour;
  EdgeAttributes attributes;
  Visit visit;

  void prefetch() const { GRAPPA_PREFETCH_TO_READ(csr.pointer()->firsts() + place); }
  void operator()() const {
    const Csr& mine = *csr.pointer();
    const int64_t entry = mine.find(place, neighbour);
    GRAPPA_CHECK(entry >= 0) << ": the edge from " << mine.layout().id(mycore(), place) << " to "
                             << neighbour
                             << " is not in the graph: give the list of edges from which the graph "
                                "was built";
    visit(entry, attributes);
  }
};

/// Calls visit(entry, attributes) once for each edge of `tuples` and each list that has the edge,
/// on the core of the list. For self-loops, there is no call. `csr` must have all other edges, in
/// lists in the order of the ids. From: task. Suspends: until done. Messages: those of forall, and
/// for each edge, 1 if `directed` is true, otherwise 2.
template <class Visit>
void visit_attributes(const TupleGraph& tuples, GlobalAddress<Csr> csr, bool directed,
                      const Visit& visit) {
  GRAPPA_CHECK(tuples.attributes) << ": the edges have no attributes: load them with "
                                     "Attributes::Keep from a file that has weights, and use them "
                                     "before consume() or destroy()";
  GRAPPA_CHECK(tuples.nv <= csr->layout().nv())
      << ": the edges are those of a graph of " << tuples.nv << " vertices, but this one has "
      << csr->layout().nv() << ": give the list of edges from which the graph was built";
  Progress progress("weighting", tuples.nedge, "edges");
  const GlobalAddress<EdgeAttributes> attributes = tuples.attributes;
  const Progress::Counter done = progress.counter();
  const auto send = [csr, visit](VertexID v, VertexID neighbour, const EdgeAttributes& its) {
    const VertexLayout::Location at = csr.pointer()->layout().locate(v);
    const AttributeMessage<Visit> message = {csr, at.place, neighbour, its, visit};
    delegate::call<async>(at.core, unchecked(message));
  };
  const auto send_both = [attributes, directed, send, done](int64_t first, int64_t count,
                                                            TupleEdge* edges) {
    const EdgeAttributes* const its = (attributes + first).pointer();
    for (int64_t k = 0; k < count; ++k) {
      const VertexID v = edges[k].v0, w = edges[k].v1;
      if (v == w) continue;
      send(v, w, its[k]);
      if (!directed) send(w, v, its[k]);
    }
    done.add(count);
  };
  forall(tuples.edges, tuples.nedge, unchecked(send_both));
}

}}  // namespace Grappa::detail
