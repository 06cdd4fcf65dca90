#pragma once

/// The input graph of a program. It is generated, read from a graph file, or loaded from a file of
/// --save. The flags are the same in all graph programs (apps/bfs/README.md). All: From: the
/// main task. Suspends. Invalid flags and files abort the job with status 2.

#include <Grappa.hpp>

#include "apps/common/input_edges.hpp"
#include "apps/common/program.hpp"
#include "structures/graph/graph.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

DECLARE_string(load);
DECLARE_string(save);

namespace apps {

/// Memory that a program needs besides the edges, in bytes over all cores.
typedef double (*BytesNeeded)(int64_t nv, int64_t nedge);

/// A BytesNeeded function for programs that need only an undirected graph of type G.
template <class G>
double graph_bytes_needed(int64_t nv, int64_t nedge) {
  typedef typename std::remove_reference<decltype(std::declval<typename G::Edge>().data)>::type E;
  const double edge_data = std::is_empty<E>::value ? 0 : double(2 * sizeof(E)) * double(nedge);
  return Grappa::detail::graph_bytes_to_build(nv, nedge, sizeof(typename G::Vertex)) + edge_data;
}

/// An upper bound of the slots of all cores for a graph of `nv` vertices, before its layout is
/// known. (VertexLayout: a core has a power of two of slots, at least 64; with ranges, a core may
/// have twice the mean number of vertices.)
double slots_at_most(int64_t nv);

/// Checks the flags, as far as possible before the work begins.
void check_graph_flags();

/// Checks --layout and returns its value.
Grappa::GraphLayout layout_of_flag();

/// Checks, before the work begins, that write_values can write the file. Keeps its contents.
void check_values_file(const char* flag, const std::string& path);

/// Returns the number of vertices of a generated graph, or the largest int64_t for a file.
int64_t vertices_at_most();

class GraphSource {
 public:
  /// Generates or reads the edges, if the graph is not loaded. If the graph does not fit in memory,
  /// aborts the job before the work begins and reports the largest scale that fits; otherwise
  /// prints the memory that is needed to stdout. The attributes in a file are kept if `attributes`
  /// is Keep.
  explicit GraphSource(BytesNeeded needed,
                       Grappa::Attributes attributes = Grappa::Attributes::Ignore);

  /// Frees the edges.
  ~GraphSource();
  GraphSource(const GraphSource&) = delete;
  GraphSource& operator=(const GraphSource&) = delete;

  /// The number of vertices, or 0 for a graph that will be loaded.
  int64_t nv() const { return tuples_.nv; }

  /// The edges of the graph that build() has returned, for verification. From a loaded graph, each
  /// edge once.
  InputEdges edges() const { return lists_ ? InputEdges(lists_) : InputEdges(tuples_); }

  /// The same edges as a list. The first call for a loaded graph makes the list, which takes 16
  /// bytes for each edge until this object is destroyed. Before build(), a graph that will be
  /// loaded has none.
  const Grappa::TupleGraph& tuples();

  /// Returns the undirected graph of these edges, or the loaded graph. The caller destroys the
  /// graph. A directed graph is rejected. `finish(graph)` is the last part of the construction; by
  /// default, lists stay in the order of ids. The graph is saved if --save is given.
  template <class G>
  Grappa::GlobalAddress<G> build(
      const std::function<void(Grappa::GlobalAddress<G>)>& finish = nullptr);

  /// Adds the description, the sizes and the construction cost of the graph to `run`. Requires that
  /// the graph is built.
  template <class G>
  void report(Grappa::GlobalAddress<G> g, Json* run) const;

  /// Returns a line such as "Kronecker, scale 16, edge factor 16, seed 1", or the path of the file.
  std::string description() const;

  /// Convert between the ids of the file or generator, which users see, and the ids of this graph.
  /// An id out of range aborts the job.
  Grappa::VertexID original(Grappa::VertexID v) const;
  Grappa::VertexID current(Grappa::VertexID original) const;
  /// Unless `path` is empty, writes a file with a line (or binary record, by the suffix) for each
  /// vertex v with value[v] >= 0: v and the value. The format is that of edge files, so programs
  /// that read graphs can read the file. `value` is linear. Vertices, and values if
  /// `value_is_vertex`, are written as original ids. Messages: a few per vertex. Memory: 16 bytes
  /// per vertex.
  void write_values(const char* flag, const std::string& path, Grappa::GlobalAddress<int64_t> value,
                    bool value_is_vertex) const;
  /// Returns a linear array with the original id of each vertex; null if the ids are the same.
  Grappa::GlobalAddress<Grappa::VertexID> original_ids() const { return original_ids_; }

 private:
  void generate(BytesNeeded needed);
  void read(BytesNeeded needed, Grappa::Attributes attributes);
  void begin_construction();
  void end_construction();
  void report_with(const Grappa::detail::VertexLayout& layout, double graph_bytes, Json* run) const;
  static void check_undirected(bool directed);  // checks the loaded graph
  static void save(Grappa::GlobalAddress<Grappa::detail::Csr> lists);

  Grappa::TupleGraph tuples_;                         // without edges if the graph is loaded
  Grappa::GlobalAddress<Grappa::detail::Csr> lists_;  // null unless loaded
  Grappa::GlobalAddress<Grappa::VertexID> original_ids_;
  const double resident_before_;  // over all cores
  double seconds_ = 0;            // time to generate or read the edges, or to load the graph
  double start_ = 0;              // start time of the construction
  double construction_seconds_ = 0;
  double construction_peak_bytes_ = 0;
};

template <class G>
Grappa::GlobalAddress<G> GraphSource::build(
    const std::function<void(Grappa::GlobalAddress<G>)>& finish) {
  Grappa::GlobalAddress<G> g;
  begin_construction();
  if (!FLAGS_load.empty()) {
    g = G::load(FLAGS_load, layout_of_flag());
    check_undirected(g->directed);
    lists_ = g->lists();
    tuples_.nv = g->nv;
    tuples_.nedge = g->nadj / 2;
    seconds_ = Grappa::walltime() - start_;
    start_ = Grappa::walltime();
  } else {
    g = G::create(tuples_, false, layout_of_flag());
  }
  if (finish) finish(g);
  end_construction();
  if (!FLAGS_save.empty()) save(g->lists());
  return g;
}

template <class G>
void GraphSource::report(Grappa::GlobalAddress<G> g, Json* run) const {
  const int64_t lists =
      Grappa::sum_all_cores([g] { return static_cast<int64_t>(g->csr().bytes()); });
  report_with(g->csr().layout(), double(lists) + double(sizeof(typename G::Vertex)) * double(g->nv),
              run);
}

}  // namespace apps
