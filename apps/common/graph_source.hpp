#pragma once

/// The graph that a program works on: generated, read from a file of edges, or loaded as it was
/// saved. The flags are the same in all programs on graphs:
///
///     --scale --edgefactor --seed        a Kronecker graph, by default
///     --generator=kronecker|uniform|grid  or another one with as many vertices
///     --rows --columns                   of a grid, if not as square as --scale allows
///     --graph --graph_format             a file of edges
///     --relabel                          new labels by degree
///     --save, --load                     a file with the built graph
///
/// All: From: the main task. Suspends. Bad flags and files end the job with one line and status 2.

#include <Grappa.hpp>

#include "apps/common/graph_report.hpp"
#include "structures/graph/csr_edges.hpp"
#include "structures/graph/graph.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace apps {

/// What a program needs besides the edges themselves, in bytes over all cores.
typedef double (*BytesNeeded)(int64_t nv, int64_t nedge);

/// Of a program that needs an undirected graph of type G, and nothing besides.
template <class G>
double graph_bytes_needed(int64_t nv, int64_t nedge) {
  typedef typename std::remove_reference<decltype(std::declval<typename G::Edge>().data)>::type E;
  const double edge_data = std::is_empty<E>::value ? 0 : double(2 * sizeof(E)) * double(nedge);
  return Grappa::detail::graph_bytes_to_build(nv, nedge, sizeof(typename G::Vertex)) + edge_data;
}

/// All that can be known to be wrong with the flags before any work.
void check_graph_flags();

/// How many vertices the graph will have if it is generated; more than any has if a file tells.
int64_t vertices_at_most();

/// Of the neighbours in each list.
enum class ListOrder { kById, kByDegree };

class GraphSource {
 public:
  /// Makes or reads the edges, unless the built graph is loaded. What does not fit ends the job
  /// before it is begun, with the largest scale that does; what fits is said on stdout.
  explicit GraphSource(BytesNeeded needed);

  /// Gives the edges back. From: task.
  ~GraphSource();
  GraphSource(const GraphSource&) = delete;
  GraphSource& operator=(const GraphSource&) = delete;

  const Grappa::TupleGraph& tuples() const { return tuples_; }

  /// The graph of these edges, undirected; the caller destroys it. Or the one that is loaded: then
  /// its edges, each once, are tuples() from now on. A directed one is refused. Saved if flags say
  /// so.
  template <class G, ListOrder order = ListOrder::kById>
  Grappa::GlobalAddress<G> build();

  /// What is to be said of the graph, once it is built. From: task. Suspends.
  template <class G>
  GraphReport report(Grappa::GlobalAddress<G> g) const;

  /// One line: "Kronecker, scale 16, edge factor 16, seed 1", or the path.
  std::string description() const;

  /// Between the ids of the file or generator, which a person knows, and those of this graph. Out
  /// of range ends the job.
  Grappa::VertexID original(Grappa::VertexID v) const;
  Grappa::VertexID current(Grappa::VertexID original) const;
  /// The first by the second, linear; null if they are the same.
  Grappa::GlobalAddress<Grappa::VertexID> original_ids() const { return original_ids_; }

 private:
  void generate(BytesNeeded needed);
  void read(BytesNeeded needed);
  void begin_construction();
  void end_construction();
  GraphReport report_with(int64_t vertices, double graph_bytes) const;
  static void check_undirected(bool directed);  // the graph that was loaded
  static const std::string& load_path();        // "" if none
  static const std::string& save_path();

  Grappa::TupleGraph tuples_;
  Grappa::GlobalAddress<Grappa::VertexID> original_ids_;
  const double resident_before_;  // bytes over all cores
  double seconds_ = 0;            // to make or read the edges, or load the graph
  double start_ = 0;              // of the construction
  double construction_seconds_ = 0;
  double construction_peak_bytes_ = 0;
};

namespace detail {

template <class G>
void order_lists(Grappa::GlobalAddress<G>, std::integral_constant<ListOrder, ListOrder::kById>) {}
template <class G>
void order_lists(Grappa::GlobalAddress<G> g,
                 std::integral_constant<ListOrder, ListOrder::kByDegree>) {
  g->order_by_degree();
}

}  // namespace detail

template <class G, ListOrder order>
Grappa::GlobalAddress<G> GraphSource::build() {
  Grappa::GlobalAddress<G> g;
  begin_construction();
  if (!load_path().empty()) {
    g = G::load(load_path());
    check_undirected(g->directed);
    tuples_ = Grappa::edges_of(g->lists(), g->directed);
    seconds_ = Grappa::walltime() - start_;
    start_ = Grappa::walltime();
  } else {
    g = G::create(tuples_);
  }
  detail::order_lists(g, std::integral_constant<ListOrder, order>());
  end_construction();
  if (!save_path().empty()) g->save(save_path());
  return g;
}

template <class G>
GraphReport GraphSource::report(Grappa::GlobalAddress<G> g) const {
  const int64_t lists =
      Grappa::sum_all_cores([g] { return static_cast<int64_t>(g->csr().bytes()); });
  return report_with(g->nv, double(lists) + double(sizeof(typename G::Vertex)) * double(g->nv));
}

}  // namespace apps
