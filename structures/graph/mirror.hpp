#pragma once

/// Copies of one value of each vertex, such as its rank, for loops that read the values of
/// neighbours. A read of a copy takes no message. Each locale has one copy, which its cores share.
///
///     const auto rank = Mirror<float>::create(g);                              // all 0
///     forall(g, [rank](Vertex& v) { rank->set(v, 1); });
///     rank->refresh();
///     forall(g, [g, rank](Vertex& v) {
///       serial_for(adj(g, v), [&v, rank](Edge& e) { v->sum += (*rank)[e]; });
///     });
///
/// Values are written to a second array, which becomes the one that is read at the next refresh().
/// So a loop may set the values of its vertices and read those of neighbours at the same time. (The
/// model is that of L. Valiant, "A Bridging Model for Parallel Computation", CACM 33(8), 1990.)
///
/// Memory on each locale: two values for each slot. A core has a power of two of slots, at least as
/// many as the vertices of the core with the most vertices, and at least 64.

#include "structures/graph/loops/graph_type.hpp"
#include "system/base/checked_mode.hpp"
#include "system/base/compiler.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/locale_array.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Grappa {

/// T is trivially copyable. A mirror is a symmetric object. The graph must outlive the mirror.
template <class T>
class Mirror {
  typedef detail::LocaleArray<T> Array;

 public:
  /// Creates a mirror in which all values are T(). Aborts if two arrays do not fit in the part of
  /// the first core of a locale in the memory that the locale shares. From: task. Suspends: until
  /// done.
  template <class V, class E>
  static GlobalAddress<Mirror> create(GlobalAddress<Graph<V, E>> g) {
    typedef typename Graph<V, E>::Vertex Vertex;
    const detail::VertexLayout& layout = g->csr().layout();
    const int64_t part = int64_t{1} << layout.index_bits();
    const auto mirror =
        symmetric<Mirror>(Array::create(part), Array::create(part), layout.index_bits());
    on_all_cores([mirror, g] {
      const Vertex* const first = g->vs.localize();
      mirror->vertices_ = reinterpret_cast<uintptr_t>(first);
      mirror->vertices_end_ = reinterpret_cast<uintptr_t>(first + g->csr().vertices());
      mirror->vertex_bytes_ = sizeof(Vertex);
    });
    return mirror;
  }

  /// The value of a neighbour that the last refresh() has published. `e` is an edge of the graph,
  /// in a body that runs at the owner of its list.
  template <class Edge>
  const T& operator[](const Edge& e) const {
    check(e.slot);
    return read_[e.slot];
  }

  /// Sets the value of a vertex of this core. Reads return it after the next refresh().
  template <class Vertex>
  void set(const Vertex& v, const T& value) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(&v);
    if (GRAPPA_UNLIKELY(detail::checked_mode())) {
      GRAPPA_CHECK(vertices_ <= at && at < vertices_end_ && sizeof(Vertex) == vertex_bytes_)
          << ": the vertex is not one of the " << (vertices_end_ - vertices_) / vertex_bytes_
          << " vertices of this core: to set its value, pass a vertex of the mirror's graph by "
             "reference (Vertex&), not as a copy, and run the body at its owner";
    }
    own_[(at - vertices_) / sizeof(Vertex)] = value;
  }

  /// Publishes all values that were set on all cores. No task may read or set values at the same
  /// time. From: task. Suspends: until all copies are complete. Messages: those of on_all_cores and
  /// of a barrier; each locale sends the values of its slots once to each other locale.
  void refresh() {
    Mirror* const self = this;
    on_all_cores([self] { self->refresh_here(); });
  }

  /// Like refresh(). From: a task on every core, at the same time. With `all_will_be_set`, values
  /// are not copied for the next refresh. So the program must set every value before the next
  /// refresh, and own() is undefined for values that are not set yet.
  void refresh_here(bool all_will_be_set = false) {
    (swapped_ ? first_ : second_)->share();
    barrier();
    swapped_ = !swapped_;
    find_arrays();
    if (!all_will_be_set) std::copy_n(read_ + (own_ - write_), part(), own_);
  }

  /// For loops over the lists themselves (Csr): the published values by slot, and the next values
  /// of this core by local index. Both pointers change with a refresh.
  const T* values() const { return read_; }
  T* own() { return own_; }

  /// Destroys the mirror. From: task, once. Suspends: until its memory is free.
  void destroy() {
    const GlobalAddress<Array> first = first_, second = second_;
    global_free(make_global(this, 0));
    global_free(first);
    global_free(second);
  }

  /// Called by create() only.
  Mirror(GlobalAddress<Array> first, GlobalAddress<Array> second, int index_bits)
      : first_(first), second_(second), index_bits_(index_bits) {
    find_arrays();
  }

 private:
  int64_t part() const { return int64_t{1} << index_bits_; }

  void find_arrays() {
    read_ = (swapped_ ? second_ : first_)->all();
    write_ = (swapped_ ? first_ : second_)->all();
    own_ = write_ + part() * mycore();
  }

  void check(uint64_t slot) const {
    if (GRAPPA_UNLIKELY(detail::checked_mode())) {
      GRAPPA_CHECK(slot < static_cast<uint64_t>(part() * cores()))
          << ": this edge belongs to another graph than the mirror, or is used in a body at the "
             "neighbour, where a mirror cannot be read";
    }
  }

  const GlobalAddress<Array> first_, second_;
  const int index_bits_;
  bool swapped_ = false;
  const T* read_;                              // indexed by slot
  T* write_;                                   // indexed by slot; only own_ is complete
  T* own_;                                     // the part of this core in write_, by local index
  uintptr_t vertices_ = 0, vertices_end_ = 0;  // the addresses of the vertices of this core
  size_t vertex_bytes_ = 1;
};

}  // namespace Grappa
