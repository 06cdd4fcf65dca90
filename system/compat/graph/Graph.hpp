#pragma once

/// Graph as existing Grappa programs know it: loops over it leave out the vertices without edges,
/// which are not `valid`. Graph is another name of OriginalGraph where this is included.

#include "structures/graph/graph.hpp"
#include "structures/graph/graph_loops.hpp"
#include "system/compat/global_names.hpp"

namespace Grappa {

/// The data of vertices or edges of a graph that keeps none.
struct Empty {};

/// An address of it is that of a Graph, to which nothing is added but names.
template <class V = Empty, class E = Empty>
class OriginalGraph : public Graph<V, E> {
  typedef Graph<V, E> Base;
  typedef GlobalAddress<OriginalGraph> Address;

 public:
  using typename Base::Vertex;
  typedef E EdgeState;

  using Base::Base;

  /// Without `solo_invalid` loops over the graph visit the vertices without edges, too.
  static Address create(const TupleGraph& tuples, bool directed = false, bool solo_invalid = true) {
    const GlobalAddress<Base> g = Base::create(tuples, directed);
    if (!solo_invalid) forall(g->vs, g->nv, [](Vertex& v) { v.valid = true; });
    return static_cast<Address>(g);
  }
  static Address Undirected(const TupleGraph& tuples) { return create(tuples, false); }
  static Address Directed(const TupleGraph& tuples) { return create(tuples, true); }

  template <class V2, class F>
  GlobalAddress<OriginalGraph<V2, E>> transform(F body) {
    return static_cast<GlobalAddress<OriginalGraph<V2, E>>>(Base::template transform<V2>(body));
  }

  /// Logs the neighbours of each vertex, behind what `print_vertex(std::ostream&, Vertex&)` prints.
  template <int kLevel = 0, class F>
  void dump(F print_vertex) {
    OriginalGraph* const g = this;
    for (VertexID i = 0; i < this->nv; ++i) {
      delegate::call(this->vs + i, [g, i, print_vertex](Vertex& v) {
        std::ostringstream text;
        text << "<" << i << ">";
        print_vertex(text, v);
        for (int64_t k = 0; k < v.nadj; ++k) text << " " << g->edge(v, k).id;
        VLOG(kLevel) << text.str();
      });
    }
  }
  template <int kLevel = 0>
  static void dump(Address g) {
    g->template dump<kLevel>([](std::ostream&, Vertex&) {});
  }
};

template <class V, class E, class Place>
Adjacency<OriginalGraph<V, E>> adj(GlobalAddress<OriginalGraph<V, E>> g, Place&& vertex) {
  const Adjacency<Graph<V, E>> same = adj(static_cast<GlobalAddress<Graph<V, E>>>(g), vertex);
  return {g, same.vertex, same.is_here};
}

namespace detail {

/// A body for vertices, at those that are valid.
template <class Vertex, class F>
struct AtValid {
  F body;
  void operator()(VertexID id, Vertex& v) {
    if (v.valid) visit(id, v, is_callable<F, Vertex&>());
  }

 private:
  void visit(VertexID, Vertex& v, std::true_type) { body(v); }
  void visit(VertexID id, Vertex& v, std::false_type) { body(id, v); }
};

template <class V, class E>
struct LoopOver<OriginalGraph<V, E>> {
  template <class Options, class F>
  static void start(GlobalAddress<OriginalGraph<V, E>> g, const F& body) {
    typedef Graph<V, E> G;
    typedef typename graph_body<G, F>::type Form;
    typedef AtValid<typename G::Vertex, typename Form::type> Body;
    LoopOver<G>::template start<Options>(static_cast<GlobalAddress<G>>(g),
                                         Body{Form::make(static_cast<GlobalAddress<G>>(g), body)});
  }
};

}  // namespace detail
}  // namespace Grappa

#define Graph OriginalGraph
