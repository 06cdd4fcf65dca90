#pragma once

/// A graph dealt over all cores, as compressed sparse rows: a linear array of vertices, and on each
/// core one array with the neighbours of all vertices that it owns. Expanding a vertex at its owner
/// hence reads only local memory.
///
/// Built from a TupleGraph: degrees are counted at the owners, each core allocates its array, and
/// the neighbours are sent to their places; two async delegates per end of an edge, aggregated.
/// Self-loops and repeated edges are dropped (as Graph500 allows) and each list of neighbours is
/// sorted, so that the graph is the same on any number of cores. Invariant: neighbours of v are
/// local_adj[0 .. nadj) at the core that owns v, ascending, without v.

#include "structures/graph/edge.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate_async.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace Grappa {
namespace detail {

/// Bytes that round a vertex up to a power of two: a block of the global heap (64 bytes) must hold
/// a whole number of them.
constexpr size_t vertex_padding(size_t bytes, size_t rounded = 8) {
  return rounded >= bytes ? rounded - bytes : vertex_padding(bytes, 2 * rounded);
}

template <size_t kBytes>
struct VertexPadding {
  char unused[kBytes];
};
template <>
struct VertexPadding<0> {};

/// Sorts `n` neighbours and moves each once to the front; returns how many remain.
int64_t sort_and_drop_duplicates(VertexID* neighbours, int64_t n);

}  // namespace detail

/// V is what a program keeps with each vertex: it is value-initialised by create() and belongs to
/// the owner of the vertex.
template <typename V>
class Graph {
  struct VertexContent {
    int64_t nadj;
    VertexID* local_adj;
    V data;
  };

 public:
  struct Vertex : private detail::VertexPadding<detail::vertex_padding(sizeof(VertexContent))> {
    int64_t nadj = 0;               // neighbours
    VertexID* local_adj = nullptr;  // of them, the first; only the owner may follow it
    V data{};

    V* operator->() { return &data; }
    const V* operator->() const { return &data; }
  };

  int64_t nv;                // vertices
  int64_t nadj = 0;          // neighbours of all vertices: twice the edges if undirected
  GlobalAddress<Vertex> vs;  // linear: vertex v is vs + v

  /// Returns a symmetric address. An undirected graph has every edge in both lists.
  /// From: task. Suspends. Messages: two of 16 bytes for each end of an edge that is in a list.
  static GlobalAddress<Graph> create(const TupleGraph& tuples, bool directed = false);
  static GlobalAddress<Graph> Undirected(const TupleGraph& tuples) { return create(tuples, false); }
  static GlobalAddress<Graph> Directed(const TupleGraph& tuples) { return create(tuples, true); }

  /// The number of a vertex of this core.
  VertexID id(Vertex& v) const { return make_linear(&v) - vs; }

  /// Frees the graph on all cores. From: task, once.
  void destroy() {
    const GlobalAddress<Graph> self = self_;
    global_free(vs);
    global_free(self);  // ends the life of *this
  }

  /// By symmetric() only.
  Graph(int64_t vertices, GlobalAddress<Vertex> first_vertex) : nv(vertices), vs(first_vertex) {}

 private:
  static_assert(
      std::is_trivially_destructible<V>::value,
      "the data of a vertex must be trivially destructible: the heap does not destroy it");
  static_assert(
      sizeof(VertexContent) <= 64,
      "a vertex must fit in a 64-byte block of the global heap: keep its data to 48 bytes "
      "and larger things elsewhere, behind a pointer");
  static_assert(64 % sizeof(Vertex) == 0,
                "a vertex must divide a 64-byte block of the global heap: reduce the alignment of "
                "its data");

  template <typename F>
  static void for_each_end(const TupleGraph& tuples, GlobalAddress<Vertex> vs, bool directed,
                           F visit);
  void take_room(Vertex& v);
  void tidy(Vertex& v);

  GlobalAddress<Graph> self_;
  std::unique_ptr<VertexID[]> adjacency_;  // of all vertices of this core
  int64_t local_nadj_ = 0;
  int64_t room_taken_ = 0;  // while building: elements of adjacency_ given to vertices
};

/// `body(Vertex&)` or `body(VertexID, Vertex&)` for each vertex, at its owner; waits for all that
/// the bodies start. From: task. Suspends: until the loop has ended; async: no.
template <SyncMode S = SyncMode::Blocking, typename V, typename F>
void forall(GlobalAddress<Graph<V>> g, F body) {
  forall<S>(g->vs, g->nv, body);
}

// Calls `visit(owner's address of an end, other end)` for each entry of a list of neighbours.
template <typename V>
template <typename F>
void Graph<V>::for_each_end(const TupleGraph& tuples, GlobalAddress<Vertex> vs, bool directed,
                            F visit) {
  forall(tuples.edges, tuples.nedge, [vs, directed, visit](TupleEdge& e) {
    if (e.v0 == e.v1) return;
    visit(vs + e.v0, e.v1);
    if (!directed) visit(vs + e.v1, e.v0);
  });
}

template <typename V>
void Graph<V>::take_room(Vertex& v) {
  v.local_adj = adjacency_.get() + room_taken_;
  room_taken_ += v.nadj;
  v.nadj = 0;
}

template <typename V>
void Graph<V>::tidy(Vertex& v) {
  v.nadj = detail::sort_and_drop_duplicates(v.local_adj, v.nadj);
  local_nadj_ += v.nadj;
}

template <typename V>
GlobalAddress<Graph<V>> Graph<V>::create(const TupleGraph& tuples, bool directed) {
  const GlobalAddress<Vertex> vs = global_alloc<Vertex>(size_t(std::max<int64_t>(tuples.nv, 1)));
  const GlobalAddress<Graph> g = symmetric<Graph>(tuples.nv, vs);
  forall(vs, tuples.nv, [](Vertex& v) { new (&v) Vertex(); });

  for_each_end(tuples, vs, directed, [](GlobalAddress<Vertex> end, VertexID) {
    delegate::call<async>(end, [](Vertex& v) { ++v.nadj; });
  });
  forall(vs, tuples.nv, [g](Vertex& v) { g->local_nadj_ += v.nadj; });
  on_all_cores([g] {
    g->self_ = g;
    g->adjacency_.reset(new VertexID[size_t(g->local_nadj_)]);
    g->local_nadj_ = 0;
  });
  forall(vs, tuples.nv, [g](Vertex& v) { g->take_room(v); });
  for_each_end(tuples, vs, directed, [](GlobalAddress<Vertex> end, VertexID other) {
    delegate::call<async>(end, [other](Vertex& v) { v.local_adj[v.nadj++] = other; });
  });
  forall(vs, tuples.nv, [g](Vertex& v) { g->tidy(v); });

  const int64_t nadj = sum_all_cores([g] { return g->local_nadj_; });
  on_all_cores([g, nadj] { g->nadj = nadj; });
  return g;
}

}  // namespace Grappa
