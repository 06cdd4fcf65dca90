#pragma once

/// The class Graph. Programs include graph.hpp, which also has the loops over vertices and edges.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/csr/visit_attributes.hpp"
#include "structures/graph/edge.hpp"
#include "structures/graph/loops/vertex_array.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/base/checked_mode.hpp"
#include "system/base/compiler.hpp"
#include "system/base/input_error.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

namespace Grappa {

/// The edge data type of a graph without edge data.
struct NoData {};

namespace detail {

/// Returns the padding that makes the size a power of two, so that no vertex crosses a block.
constexpr size_t vertex_padding(size_t bytes, size_t rounded = 8) {
  return rounded >= bytes ? rounded - bytes : vertex_padding(bytes, 2 * rounded);
}

template <size_t kBytes>
struct VertexPadding {
  char unused[kBytes];
};
template <>
struct VertexPadding<0> {};

/// Calls the body of Graph::transform with the arguments that it accepts.
template <typename F, typename Vertex, typename V2>
auto transform_vertex(const F& body, VertexID, Vertex& old, V2& data, int)
    -> decltype(body(old, data), void()) {
  body(old, data);
}
template <typename F, typename Vertex, typename V2>
auto transform_vertex(const F& body, VertexID id, Vertex& old, V2& data, long)
    -> decltype(body(id, old, data), void()) {
  body(id, old, data);
}

}  // namespace detail

/// V is the data of each vertex, E the data of each entry of a list, both value-initialised at the
/// owner of the vertex. The two entries of an undirected edge have independent data.
template <typename V, typename E = NoData>
class Graph {
  typedef std::integral_constant<bool, !std::is_empty<E>::value> HasEdgeData;

  struct VertexContent {
    uint32_t nadj;
    bool valid;
    V data;
  };

 public:
  struct Vertex : private detail::VertexPadding<detail::vertex_padding(sizeof(VertexContent))> {
    uint32_t nadj = 0;   // number of neighbours; in a directed graph, out-neighbours
    bool valid = false;  // true if an edge begins or ends at the vertex
    V data{};

    V* operator->() { return &data; }
    const V* operator->() const { return &data; }
  };

  /// An entry of a list, as passed to loop bodies. In a body at the neighbour, `data` is a copy.
  struct Edge {
    VertexID id;               // id of the neighbour
    GlobalAddress<Vertex> ga;  // address of the neighbour
    E& data;
    uint64_t slot;  // for Mirror (mirror.hpp); all ones in a body at the neighbour

    E* operator->() { return &data; }
  };

  int64_t nv;              // vertices
  int64_t nadj;            // entries of all lists: twice the number of edges if undirected
  bool directed;           // if true, lists contain out-neighbours only
  VertexArray<Vertex> vs;  // the address of vertex v is vs + v

  /// Builds a graph and returns its symmetric address. In an undirected graph, both vertices of an
  /// edge have the edge in their lists. From: task. Suspends: until done. Messages: those of
  /// choose_layout and Csr::create; for a directed graph, 1 more for each edge.
  static GlobalAddress<Graph> create(const TupleGraph& tuples, bool directed = false,
                                     GraphLayout layout = GraphLayout::Automatic,
                                     detail::SlotWidth width = detail::SlotWidth::kAutomatic) {
    const detail::VertexLayout chosen = detail::choose_layout(tuples, layout, sizeof(Vertex));
    return create_with(detail::Csr::create(tuples, directed, chosen, width), directed, directed);
  }

  /// As create(), but frees the edges while it reads them, and destroys `tuples`. The peak for an
  /// edge is 16 bytes, or what it takes in the lists, whichever is more. Attributes take 16 more
  /// bytes, and are freed at the end, so set_edge_data() cannot use them.
  static GlobalAddress<Graph> consume(TupleGraph* tuples, bool directed = false,
                                      GraphLayout layout = GraphLayout::Automatic) {
    const detail::VertexLayout chosen = detail::choose_layout(*tuples, layout, sizeof(Vertex));
    const GlobalAddress<detail::Csr> lists =
        detail::Csr::create(*tuples, directed, chosen, detail::SlotWidth::kAutomatic,
                            detail::Csr::EdgeMemory::kConsumed);
    tuples->destroy();
    return create_with(lists, directed, directed);
  }
  static GlobalAddress<Graph> Undirected(const TupleGraph& tuples) { return create(tuples, false); }
  static GlobalAddress<Graph> Directed(const TupleGraph& tuples) { return create(tuples, true); }

  /// Saves the lists of neighbours without the data of vertices and edges. If the file cannot be
  /// written, the job aborts by input_error. The contract is that of try_save_csr.
  void save(const std::string& path) const {
    std::string error;
    if (!try_save(path, &error)) input_error(error);
  }

  /// Like save, but on an error, returns false and sets `error` to one line.
  bool try_save(const std::string& path, std::string* error) const {
    return detail::try_save_csr(lists_, directed, path, error);
  }

  /// Loads a graph that save() has written, for any type of vertex, on any number of cores. If the
  /// file is bad, the job aborts by input_error. The contract is that of try_load_csr. For a
  /// directed graph, load sends 1 more message for each edge.
  static GlobalAddress<Graph> load(const std::string& path,
                                   GraphLayout layout = GraphLayout::Automatic,
                                   detail::SlotWidth width = detail::SlotWidth::kAutomatic) {
    GlobalAddress<Graph> g;
    std::string error;
    if (!try_load(path, &g, &error, layout, width)) input_error(error);
    return g;
  }

  /// Like load, but on an error, returns false and sets `error` to one line.
  static bool try_load(const std::string& path, GlobalAddress<Graph>* graph, std::string* error,
                       GraphLayout layout = GraphLayout::Automatic,
                       detail::SlotWidth width = detail::SlotWidth::kAutomatic) {
    GlobalAddress<detail::Csr> csr;
    bool directed = false;
    if (!detail::try_load_csr(path, layout, sizeof(Vertex), &csr, &directed, error, width)) {
      return false;
    }
    *graph = create_with(csr, directed, directed);
    return true;
  }

  /// Return the id of a vertex of this core, and its neighbour number `i`, 0 <= i < nadj.
  VertexID id(const Vertex& v) const { return csr_->layout().id(mycore(), place(v)); }
  Edge edge(const Vertex& v, int64_t i) {
    if (GRAPPA_UNLIKELY(detail::checked_mode()) && !(0 <= i && i < size(v))) fail_edge(v, i);
    return entry(first(v) + i);
  }

  /// Sets the data of edges from the attributes of `tuples`, the list of edges of this graph: calls
  /// `body(E& data, const EdgeAttributes& attributes)` for each edge, once for each list that has
  /// it, on the core of the list. If the list of edges repeats an edge, `body` is called for each,
  /// in any order. For self-loops, there is no call. From: task. Suspends: until done. Messages:
  /// those of visit_attributes.
  template <typename F>
  void set_edge_data(const TupleGraph& tuples, F body) {
    static_assert(HasEdgeData::value, "the graph has no data of edges: use Graph<V, E>");
    detail::check_closure(body);
    const GlobalAddress<Graph> self(self_);
    const auto set = [self, body](int64_t entry, const EdgeAttributes& attributes) {
      body(self->edge_data_[static_cast<size_t>(entry)], attributes);
    };
    detail::visit_attributes(tuples, lists_, directed, set);
  }

  /// Calls Csr::order_by_degree. The graph must not have edge data.
  void order_by_degree() {
    static_assert(!HasEdgeData::value, "the data of edges would not move with the entries");
    detail::Csr::order_by_degree(lists_);
  }

  /// Replaces the data of each vertex by data of another type, and destroys this graph.
  /// `body(Vertex& old, V2& data)` or `body(VertexID, Vertex& old, V2& data)` sets the new data.
  /// Edge data are kept. From: task, once. Suspends: until done. Messages: 1 for each vertex; those
  /// of create(), too, if the size of a vertex changes.
  template <typename V2, typename F>
  GlobalAddress<Graph<V2, E>> transform(F body);

  /// From: task, once. Suspends: until done.
  void destroy() {
    const GlobalAddress<Vertex> vertices = vs.vertices();
    if (lists_) detail::Csr::destroy(lists_);
    global_free(vertices);
    global_free(GlobalAddress<Graph>(self_));  // destroys *this
  }

  /// The lists of neighbours, for other loops: the part of this core, and the symmetric address.
  const detail::Csr& csr() const { return *csr_; }
  GlobalAddress<detail::Csr> lists() const { return lists_; }

  /// The vertices of this core, in the order of their ids.
  OwnVertices<Vertex> own_vertices() { return {own_, csr_->vertices()}; }

  /// For create_with() only.
  Graph(int64_t vertices, bool is_directed, VertexArray<Vertex> array)
      : nv(vertices), directed(is_directed), vs(array) {}

  /// For loops over the entries of this core: the first entry of a vertex, the number of its
  /// entries, and the neighbour of an entry.
  int64_t first(const Vertex& v) const { return csr_->first(place(v)); }
  int64_t size(const Vertex& v) const { return csr_->size(place(v)); }
  void prefetch_first(const Vertex& v) const { GRAPPA_PREFETCH_TO_READ(csr_->firsts() + place(v)); }
  Edge entry(int64_t number) { return edge_of(csr_->layout(), csr_->slot(number), number); }

  /// Calls `visit(i, edge)` for i = 0 ... count - 1 and the entry number first + i.
  template <class Visit>
  void for_entries(int64_t first, int64_t count, Visit& visit) {
    if (csr_->slot_bytes() == sizeof(uint32_t)) {
      for_slots(csr_->template slots<uint32_t>(), first, count, visit);
    } else {
      for_slots(csr_->template slots<uint64_t>(), first, count, visit);
    }
  }

 private:
  template <typename V2, typename E2>
  friend class Graph;

  static_assert(
      std::is_trivially_destructible<V>::value,
      "the data of a vertex must be trivially destructible: the heap calls no destructor");
  static_assert(
      sizeof(VertexContent) <= 64,
      "a vertex must fit in a 64-byte block of the global heap: keep its data to at most 56 bytes "
      "and store larger data elsewhere, behind a pointer");
  static_assert(64 % sizeof(Vertex) == 0,
                "a vertex must divide a 64-byte block of the global heap: reduce the alignment of "
                "its data");
  static_assert(detail::travels<E>::value,
                "the data of an edge are copied to other cores as bytes, so they must be trivially "
                "copyable");

  int64_t place(const Vertex& v) const {
    if (GRAPPA_UNLIKELY(detail::checked_mode()) && !is_own(v)) fail_not_own();
    return &v - own_;
  }
  GRAPPA_PURE GRAPPA_NOINLINE bool is_own(const Vertex& v) const {
    const std::less<const Vertex*> before;
    return !before(&v, own_) && before(&v, own_ + csr_->vertices());
  }

  [[noreturn]] GRAPPA_NOINLINE void fail_not_own() const {
    GRAPPA_CHECK(false) << ": the vertex is not one of the " << csr_->vertices()
                        << " vertices of this core: to use its id or neighbours, pass it by "
                           "reference (Vertex&), not as a copy, and run the body at its owner";
    __builtin_unreachable();
  }
  [[noreturn]] GRAPPA_NOINLINE void fail_edge(const Vertex& v, int64_t i) const {
    GRAPPA_CHECK(0 <= i && i < size(v))
        << ": edge " << i << " of vertex " << id(v) << ", which has " << size(v) << " neighbours";
    __builtin_unreachable();
  }

  Edge edge_of(const detail::VertexLayout& layout, uint64_t slot, int64_t number) {
    const detail::VertexLayout::Names its = layout.names_of_slot(slot);
    return Edge{its.id, vs.vertices() + its.index, edge_data_[HasEdgeData::value ? number : 0],
                slot};
  }

  template <class Slot, class Visit>
  void for_slots(const Slot* slots, int64_t first, int64_t count, Visit& visit) {
    const detail::VertexLayout layout = csr_->layout();  // a copy that visit() cannot change
    for (int64_t i = 0; i < count; ++i) {
      Edge e = edge_of(layout, slots[first + i], first + i);
      visit(i, e);
    }
  }

  // If `marks_targets` is true, also marks the targets of edges as valid.
  static GlobalAddress<Graph> create_with(GlobalAddress<detail::Csr> csr, bool directed,
                                          bool marks_targets) {
    const detail::VertexLayout& layout = csr->layout();
    const auto vertices = global_alloc<Vertex>(std::max<int64_t>(layout.elements(), 1));
    const VertexArray<Vertex> vs(vertices, &layout);
    const GlobalAddress<Graph> g = symmetric<Graph>(layout.nv(), directed, vs);
    on_all_cores([g, csr] { g->adopt(g, csr); });
    if (!marks_targets) return g;
    for_each_vertex(g, [g](Vertex& v) {
      const int64_t first = g->first(v);
      for (int64_t i = 0; i < v.nadj; ++i) {
        delegate::call<async>(g->entry(first + i).ga, [](Vertex& w) { w.valid = true; });
      }
    });
    return g;
  }

  template <class F>
  static void for_each_vertex(GlobalAddress<Graph> g, const F& body) {
    start_vertex_loop(detail::LoopOptions<>(), g->vs, body);
  }

  void adopt(GlobalAddress<Graph> self, GlobalAddress<detail::Csr> csr) {
    self_ = self;
    lists_ = csr;
    csr_ = csr.pointer();
    nadj = csr_->all_entries();
    edge_data_.reset(new E[HasEdgeData::value ? static_cast<size_t>(csr_->entries()) : 1]());
    own_ = vs.localize();
    for (int64_t place = 0; place < csr_->vertices(); ++place) {
      Vertex* const v = ::new (static_cast<void*>(own_ + place)) Vertex();
      GRAPPA_CHECK(csr_->size(place) <= UINT32_MAX)
          << "vertex " << csr_->layout().id(mycore(), place) << " has " << csr_->size(place)
          << " neighbours; the maximum is 2^32 - 1";
      v->nadj = static_cast<uint32_t>(csr_->size(place));
      v->valid = v->nadj != 0;
    }
  }

  template <typename V2>
  static void move_edge_data(GlobalAddress<Graph> self, GlobalAddress<Graph<V2, E>> next) {
    typedef typename Graph<V2, E>::Vertex Vertex2;
    if (sizeof(Vertex) == sizeof(Vertex2)) {
      on_all_cores([self, next] { next->edge_data_.swap(self->edge_data_); });
    } else if (HasEdgeData::value) {
      for_each_vertex(self, [self, next](VertexID id, Vertex& v) {
        for (int64_t i = 0; i < v.nadj; ++i) {
          const E data = self->edge(v, i).data;
          const auto assign = [next, i, data](Vertex2& there) { next->edge(there, i).data = data; };
          delegate::call<async>(next->vs + id, unchecked(assign));
        }
      });
    }
  }

  GlobalAddress<Graph> self_;
  GlobalAddress<detail::Csr> lists_;
  detail::Csr* csr_ = nullptr;      // the part of this core
  Vertex* own_ = nullptr;           // the vertices of this core
  std::unique_ptr<E[]> edge_data_;  // indexed by entry; one object if E is empty
};

template <typename V, typename E>
template <typename V2, typename F>
GlobalAddress<Graph<V2, E>> Graph<V, E>::transform(F body) {
  typedef typename Graph<V2, E>::Vertex Vertex2;
  constexpr bool kKeepsLists = sizeof(Vertex) == sizeof(Vertex2);
  const auto lists = kKeepsLists ? lists_
                                 : detail::Csr::create_from(
                                       lists_, csr_->layout().with_vertex_bytes(sizeof(Vertex2)));
  const auto next = Graph<V2, E>::create_with(lists, directed, false);
  const VertexArray<Vertex2> vs2 = next->vs;
  detail::check_closure(body);
  const auto transform_at = [vs2, body](VertexID id, Vertex& old) {
    Vertex2 v;
    detail::transform_vertex(body, id, old, v.data, 0);
    const bool valid = old.valid;
    const V2 data = v.data;
    const auto assign = [valid, data](Vertex2& there) {
      there.valid = valid;
      there.data = data;
    };
    delegate::call<async>(vs2 + id, unchecked(assign));
  };
  for_each_vertex(self_, unchecked(transform_at));
  move_edge_data(self_, next);
  if (kKeepsLists) lists_ = GlobalAddress<detail::Csr>();
  destroy();
  return next;
}

}  // namespace Grappa
