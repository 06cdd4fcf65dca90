#pragma once

/// A graph for the tests of graph programs.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "tests/apps/edge_lists.hpp"

#include <vector>

namespace apps {

/// The undirected graph of a list of edges. The destructor frees the graph and the edges. From:
/// task.
template <class G>
class BuiltGraph {
 public:
  explicit BuiltGraph(const EdgeList& list,
                      Grappa::GraphLayout layout = Grappa::GraphLayout::Automatic,
                      Grappa::detail::SlotWidth width = Grappa::detail::SlotWidth::kAutomatic,
                      const std::vector<Grappa::EdgeAttributes>& attributes = {})
      : tuples_(Grappa::TupleGraph::from_edges(list.nv, list.edges, attributes)),
        g_(G::create(tuples_, false, layout, width)) {}
  ~BuiltGraph() {
    g_->destroy();
    tuples_.destroy();
  }
  BuiltGraph(const BuiltGraph&) = delete;
  BuiltGraph& operator=(const BuiltGraph&) = delete;

  Grappa::GlobalAddress<G> operator*() const { return g_; }
  const Grappa::TupleGraph& tuples() const { return tuples_; }

 private:
  Grappa::TupleGraph tuples_;
  const Grappa::GlobalAddress<G> g_;
};

}  // namespace apps
