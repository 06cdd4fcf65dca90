#pragma once

/// The vertices of a graph as an array that is indexed by ids.

#include "structures/graph/csr/vertex_layout.hpp"
#include "system/base/check.hpp"
#include "system/base/checked_mode.hpp"
#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"
#include "system/global/address.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/local_loop.hpp"

#include <cstdint>
#include <type_traits>

namespace Grappa {

/// The vertices of a graph, by id. A copy is valid on all cores, until the graph is destroyed.
template <class Vertex>
class VertexArray {
 public:
  /// `vertices` is a linear array of layout->elements() vertices. `layout` is at the same address
  /// on all cores.
  VertexArray(GlobalAddress<Vertex> vertices, const detail::VertexLayout* layout)
      : vertices_(vertices), layout_(layout) {}

  /// The linear address of vertex v, 0 <= v < nv.
  GlobalAddress<Vertex> operator+(VertexID v) const {
    if (GRAPPA_UNLIKELY(detail::checked_mode())) check_id(v);
    return vertices_ + layout_->index(v);
  }

  /// The address of vertex 0, for programs that expect an interleaved layout: vertex v is element v
  /// of this linear array. Aborts if the layout has ranges.
  operator GlobalAddress<Vertex>() const {
    GRAPPA_CHECK(!layout_->has_ranges())
        << ": in this graph, vertex v is not element v of an array: use g->vs + v, or create the "
           "graph with GraphLayout::Interleaved";
    return vertices_;
  }

  /// The first vertex of a core, as an address on that core. All vertices of the core follow.
  Vertex* localize(Core core = mycore()) const { return vertices_.localize(core); }

  const detail::VertexLayout& layout() const { return *layout_; }

  /// The array that contains the vertices, in the order of VertexLayout::index().
  GlobalAddress<Vertex> vertices() const { return vertices_; }

 private:
  GRAPPA_NOINLINE void check_id(VertexID v) const {
    GRAPPA_CHECK(0 <= v && v < layout_->nv())
        << ": vertex " << v << " of a graph of " << layout_->nv() << " vertices";
  }

  GlobalAddress<Vertex> vertices_;
  const detail::VertexLayout* layout_;
};

/// The vertices of one core, which are contiguous in its memory.
template <class Vertex>
class OwnVertices {
 public:
  OwnVertices(Vertex* begin, int64_t size) : begin_(begin), end_(begin + size) {}
  Vertex* begin() const { return begin_; }
  Vertex* end() const { return end_; }
  int64_t size() const { return end_ - begin_; }

 private:
  Vertex* begin_;
  Vertex* end_;
};

namespace detail {

/// Runs the body of a loop over vertices on the vertices of this core.
template <int64_t threshold, class Vertex, class F>
struct VertexPart {
  F body;
  VertexArray<Vertex> vertices;

  void operator()() {
    const VertexLayout& layout = vertices.layout();
    const int64_t n = layout.vertices_of(mycore());
    LocalLoop<VertexPart>::run(0, n, loop_chunk(n, threshold), *this);
  }
  void operator()(int64_t first, int64_t count) { run(first, count, is_callable<F, Vertex&>()); }

 private:
  void run(int64_t first, int64_t count, std::true_type) {
    Vertex* const end = vertices.localize() + first + count;
    for (Vertex* v = vertices.localize() + first; v != end; ++v) body(*v);
  }
  void run(int64_t first, int64_t count, std::false_type) {
    Vertex* const mine = vertices.localize();
    const VertexLayout layout = vertices.layout();  // a copy that the body cannot change
    const Core core = mycore();
    for (int64_t place = first; place < first + count; ++place) {
      body(layout.id(core, place), mine[place]);
    }
  }
};

/// Visits all vertices at their owners. Body: (Vertex&) or (VertexID, Vertex&).
template <class Options, class Vertex, class F>
void start_vertex_loop(Options, const VertexArray<Vertex>& vertices, const F& body) {
  static_assert(is_callable<F, Vertex&>::value || is_callable<F, VertexID, Vertex&>::value,
                "the body of a loop over vertices takes (Vertex&) or (VertexID, Vertex&)");
  check_closure(body);
  check_allocated(vertices.vertices().raw_bits(), sizeof(Vertex), "forall");
  const VertexPart<Options::threshold(), Vertex, F> part = {body, vertices};
  LoopStart<Options>::blocking_or_async([part] { start_on_cores(mycore(), cores(), part); });
}

}  // namespace detail
}  // namespace Grappa
