#pragma once

/// Graph with the behaviour that existing Grappa programs expect: vertices without edges are not
/// `valid`, and loops skip them. This header defines Graph as another name of OriginalGraph.

#include "structures/graph/graph.hpp"
#include "system/compat/global_names.hpp"

namespace Grappa {

/// The type of vertex or edge data in a graph without such data.
struct Empty {};

/// Adds only names to Graph, so both classes have the same addresses.
template <class V = Empty, class E = Empty>
class OriginalGraph : public Graph<V, E> {
  typedef Graph<V, E> Base;
  typedef GlobalAddress<OriginalGraph> Address;

 public:
  using typename Base::Vertex;
  typedef E EdgeState;

  using Base::Base;

  /// If `solo_invalid` is false, loops over the graph also visit the vertices without edges.
  static Address create(const TupleGraph& tuples, bool directed = false, bool solo_invalid = true) {
    const GlobalAddress<Base> g = Base::create(tuples, directed, GraphLayout::Interleaved);
    if (!solo_invalid) forall(g, [](Vertex& v) { v.valid = true; });
    return static_cast<Address>(g);
  }
  static Address Undirected(const TupleGraph& tuples) { return create(tuples, false); }
  static Address Directed(const TupleGraph& tuples) { return create(tuples, true); }

  template <class V2, class F>
  GlobalAddress<OriginalGraph<V2, E>> transform(F body) {
    return static_cast<GlobalAddress<OriginalGraph<V2, E>>>(Base::template transform<V2>(body));
  }

  /// Logs for each vertex the output of `print_vertex(std::ostream&, Vertex&)` and the neighbours.
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

/// Calls a vertex body for valid vertices only.
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
    const auto graph = static_cast<GlobalAddress<G>>(g);
    typedef AtValid<typename G::Vertex, decltype(vertex_body(graph, body, 0))> Body;
    LoopOver<G>::template start<Options>(graph, Body{vertex_body(graph, body, 0)});
  }
};

/// The loop forall(g->vs, n, body) over an array. Aborts if the graph has been loaded with another
/// layout, in which vertex v is not element v of an array.
template <class Options, class Vertex, class F>
void start_loop(Options, const VertexArray<Vertex>& vertices, int64_t n, const F& body) {
  start_loop(Options(), static_cast<GlobalAddress<Vertex>>(vertices), n, body);
}

}  // namespace detail

template <class Vertex, class F>
void forall(const VertexArray<Vertex>& vertices, int64_t n, F body) {
  detail::start_loop(detail::LoopOptions<>(), vertices, n, body);
}

}  // namespace Grappa

#define Graph OriginalGraph
