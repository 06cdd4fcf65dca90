#pragma once

/// A graph distributed over all cores: on each core an array of vertices, and the lists of their
/// neighbours (csr.hpp). README.md has examples, and graph_type.hpp has the class
/// Graph. Loops over a graph, and over the neighbours of one vertex:
///
///     forall(g, body)            each vertex or each edge, depending on the arguments of the body:
///       (Vertex&)                  at the owner
///       (VertexID, Vertex&)        at the owner, with the id
///       (Vertex&, Edge&)           each entry of each list, at the owner of the list
///       (Edge&, Vertex&)           each entry, at the neighbour; the edge's data are a copy there
///     forall(adj(g, v), body)    the neighbours of v, at the owner of v, in tasks:
///       (Edge&), (int64_t i, Edge&), (int64_t i)
///     serial_for(adj(g, v), body)  the neighbours of v, one by one in the calling task, which must
///                                  run on the owner of v
///
/// Both forall loops take the template arguments of all loops (system/parallel/forall.hpp). From:
/// task. Suspends: until the loop has ended. An async loop does not suspend. serial_for suspends if
/// the body suspends. Messages: those of all loops. A loop with (Edge&, Vertex&) sends 1 more for
/// each entry. A loop over adj(g, v) sends 2 if another core owns v. serial_for sends none.

#include "structures/graph/loops/graph_type.hpp"
#include "system/base/compiler.hpp"
#include "system/base/units.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Grappa {

template <class G>
struct Adjacency {
  GlobalAddress<G> graph;
  GlobalAddress<typename G::Vertex> vertex;
  bool is_here;  // the vertex is an object of this core
};

/// The neighbours of a vertex of this core, or of any vertex by its address or id.
template <class V, class E>
Adjacency<Graph<V, E>> adj(GlobalAddress<Graph<V, E>> g, typename Graph<V, E>::Vertex& v) {
  return {g, make_global(&v), true};
}
template <class V, class E>
Adjacency<Graph<V, E>> adj(GlobalAddress<Graph<V, E>> g,
                           GlobalAddress<typename Graph<V, E>::Vertex> v) {
  return {g, v, false};
}
template <class V, class E>
Adjacency<Graph<V, E>> adj(GlobalAddress<Graph<V, E>> g, VertexID v) {
  return {g, g->vs + v, false};
}

namespace detail {

/// Calls the body with the arguments that it accepts.
template <class F, class Edge>
auto call_neighbour(F& body, int64_t, Edge& e, int) -> decltype(body(e), void()) {
  body(e);
}
template <class F, class Edge>
auto call_neighbour(F& body, int64_t i, Edge& e, long) -> decltype(body(i, e), void()) {
  body(i, e);
}

template <class G, class F>
void call_neighbours(G* g, int64_t begin, int64_t first, int64_t count, F& body, std::true_type) {
  const auto visit = [&body, first](int64_t i, typename G::Edge& e) {
    call_neighbour(body, first + i, e, 0);
  };
  g->for_entries(begin + first, count, visit);
}
template <class G, class F>
void call_neighbours(G*, int64_t, int64_t first, int64_t count, F& body, std::false_type) {
  for (int64_t i = first; i < first + count; ++i) body(i);
}

/// Calls the body for neighbours `first` to `first + count - 1` of the list that starts at `begin`.
template <class G, class F>
void call_neighbours(G* g, int64_t begin, int64_t first, int64_t count, F& body) {
  typedef typename G::Edge Edge;
  constexpr bool kEdges = is_callable<F, Edge&>::value || is_callable<F, int64_t, Edge&>::value;
  static_assert(kEdges || is_callable<F, int64_t>::value,
                "the body of a loop over neighbours takes (Edge&), (int64_t i, Edge&) or "
                "(int64_t i)");
  call_neighbours(g, begin, first, count, body, std::integral_constant<bool, kEdges>());
}

/// The default number of neighbours that one task visits. Most lists are shorter, and a program
/// processes many lists at once. So smaller tasks would cost more than the latency that they hide.
constexpr int64_t kNeighboursOfTask = 64;

/// The loop over one list, on its owner. Loops run in batches, since a program that starts loops
/// over many lists would wait for memory at each list. The start of a loop prefetches the offset of
/// the list, and prefetch() prefetches the first entries of the list.
template <int64_t threshold, class G, class F>
struct NeighbourLoop {
  F body;
  GlobalAddress<G> graph;
  typename G::Vertex* vertex;

  void prefetch() const {
    constexpr int64_t kMostLines = 8;
    const G* const g = graph.pointer();
    const int64_t in_line = int64_t{kCacheLineBytes} / int64_t(g->csr().slot_bytes());
    const int64_t lines = std::min(kMostLines, (g->size(*vertex) + in_line - 1) / in_line);
    const char* const begin = g->csr().address(g->first(*vertex));
    for (int64_t line = 0; line < lines; ++line) {
      GRAPPA_PREFETCH_TO_READ(begin + line * int64_t{kCacheLineBytes});
    }
  }

  void operator()() const {
    constexpr int64_t kChunk = threshold > 0 ? threshold : kNeighboursOfTask;
    G* const g = graph.pointer();
    const int64_t n = g->size(*vertex), begin = g->first(*vertex);
    F mine = body;
    auto visit = [mine, g, begin](int64_t first, int64_t count) mutable {
      call_neighbours(g, begin, first, count, mine);
    };
    if (n <= kChunk) {
      visit(0, n);
    } else {
      LocalLoop<decltype(visit)>::run(n, kChunk, visit);
    }
  }
};

template <class Options, class G, class F>
void start_loop(Options, const Adjacency<G>& neighbours, const F& body) {
  typedef NeighbourLoop<Options::threshold(), G, F> Loop;
  const Loop loop = {body, neighbours.graph, neighbours.vertex.pointer()};
  const auto start = [loop] {
    loop.graph->prefetch_first(*loop.vertex);
    JobBatch<Loop>::add(loop);
  };
  const Core owner = neighbours.vertex.core();
  if (!neighbours.is_here) {
    check_closure(body);
    check_access(owner, loop.vertex, "adj");
  }
  if (Options::sync_mode() == SyncMode::Async) {
    const InEvent in(Options::event());
    visit_core(owner, start);
  } else if (owner == mycore()) {
    LoopStart<Options>::blocking_or_async([loop] { loop(); });
  } else {
    LoopStart<Options>::blocking_or_async([start, owner] { visit_core(owner, start); });
  }
}

/// Adapts the body of a loop over edges to a loop over vertices.
template <class G, class F>
struct AtSource {
  F body;
  GlobalAddress<G> graph;
  void operator()(typename G::Vertex& v) {
    F& mine = body;
    const auto visit = [&v, &mine](int64_t, typename G::Edge& e) { mine(v, e); };
    graph->for_entries(graph->first(v), v.nadj, visit);
  }
};

template <class G, class F>
struct AtTarget {
  F body;
  GlobalAddress<G> graph;
  void operator()(typename G::Vertex& v) {
    typedef typename std::remove_reference<decltype(std::declval<typename G::Edge>().data)>::type E;
    F& mine = body;
    const auto visit = [&mine](int64_t, typename G::Edge& e) {
      F at_target = mine;
      const VertexID id = e.id;
      E data = e.data;
      const auto arrive = [at_target, id, data](typename G::Vertex& target) mutable {
        typename G::Edge here = {id, make_linear(&target), data, ~uint64_t{0}};
        at_target(here, target);
      };
      delegate::call<async>(e.ga, unchecked(arrive));
    };
    graph->for_entries(graph->first(v), v.nadj, visit);
  }
};

template <class G, class F>
auto vertex_body(GlobalAddress<G> g, const F& body, int) ->
    typename std::enable_if<is_callable<F, typename G::Vertex&, typename G::Edge&>::value,
                            AtSource<G, F>>::type {
  return {body, g};
}
template <class G, class F>
auto vertex_body(GlobalAddress<G> g, const F& body, long) ->
    typename std::enable_if<is_callable<F, typename G::Edge&, typename G::Vertex&>::value,
                            AtTarget<G, F>>::type {
  return {body, g};
}
template <class G, class F>
F vertex_body(GlobalAddress<G>, const F& body, ...) {
  return body;
}

template <class V, class E>
struct LoopOver<Graph<V, E>> {
  template <class Options, class F>
  static void start(GlobalAddress<Graph<V, E>> g, const F& body) {
    typedef decltype(vertex_body(g, body, 0)) Form;
    typedef typename Graph<V, E>::Vertex Vertex;
    static_assert(is_callable<Form, Vertex&>::value || is_callable<Form, VertexID, Vertex&>::value,
                  "the body of a loop over a graph takes (Vertex&), (VertexID, Vertex&), "
                  "(Vertex&, Edge&) or (Edge&, Vertex&)");
    check_closure(body);
    start_vertex_loop(Options(), g->vs, vertex_body(g, body, 0));
  }
};

}  // namespace detail

template <class G, class F>
void forall(const Adjacency<G>& neighbours, F body) {
  detail::start_loop(detail::LoopOptions<>(), neighbours, body);
}

template <class G, class F>
void serial_for(const Adjacency<G>& neighbours, F body) {
  GRAPPA_CHECK(neighbours.vertex.core() == mycore())
      << "serial_for on core " << mycore() << " over the neighbours of a vertex of core "
      << neighbours.vertex.core() << ": run it on the core of the vertex, or use forall";
  typename G::Vertex& v = *neighbours.vertex.pointer();
  G* const g = neighbours.graph.pointer();
  detail::call_neighbours(g, g->first(v), 0, v.nadj, body);
}

}  // namespace Grappa
