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
  return Grappa::graph_bytes_to_build(nv, nedge, sizeof(typename G::Vertex)) + edge_data;
}

/// All that can be known to be wrong with the flags before any work.
void check_graph_flags();

/// How many vertices the graph will have if it is generated; 0 if a file tells.
int64_t vertices_to_generate();

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
  /// its edges, each once, are tuples() from now on. Saved if flags say so.
  template <class G>
  Grappa::GlobalAddress<G> build(ListOrder order);

  double seconds() const { return seconds_; }  // to make or read the edges, or load the graph
  double construction_seconds() const { return construction_seconds_; }  // of the lists

  /// One line: "Kronecker, scale 16, edge factor 16, seed 1", or the path.
  std::string description() const;
  bool is_kronecker() const;

  /// Between the ids of the file or generator, which a person knows, and those of this graph. Out
  /// of range ends the job.
  Grappa::VertexID original(Grappa::VertexID v) const;
  Grappa::VertexID current(Grappa::VertexID original) const;
  /// The first by the second, linear; null if they are the same.
  Grappa::GlobalAddress<Grappa::VertexID> original_ids() const { return original_ids_; }

 private:
  void generate(BytesNeeded needed);
  void read(BytesNeeded needed);
  static const std::string& load_path();  // "" if none
  static const std::string& save_path();

  Grappa::TupleGraph tuples_;
  Grappa::GlobalAddress<Grappa::VertexID> original_ids_;
  double seconds_ = 0;
  double construction_seconds_ = 0;
};

template <class G>
Grappa::GlobalAddress<G> GraphSource::build(ListOrder order) {
  Grappa::GlobalAddress<G> g;
  double start = Grappa::walltime();
  if (!load_path().empty()) {
    g = G::load(load_path());
    tuples_ = Grappa::edges_of(g->lists(), g->directed);
    seconds_ = Grappa::walltime() - start;
    start = Grappa::walltime();
  } else {
    g = G::create(tuples_);
  }
  if (order == ListOrder::kByDegree) g->order_by_degree();
  construction_seconds_ = Grappa::walltime() - start;
  if (!save_path().empty()) g->save(save_path());
  return g;
}

}  // namespace apps
