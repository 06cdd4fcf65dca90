#pragma once

/// A graph as a list of edges, dealt over all cores: what generators make and files hold, and what
/// Graph (graph.hpp) and validation are made from. Self-loops and repeated edges are kept.
///
/// Invariant: every edge has both ends in 0 .. nv-1. The order of edges and their number do not
/// depend on the number of cores.

#include "structures/graph/edge.hpp"
#include "system/global/address.hpp"

#include <string>
#include <vector>

namespace Grappa {

/// Trivially copyable: bodies of loops may capture it. It owns nothing; call destroy() once.
struct TupleGraph {
  typedef TupleEdge Edge;

  GlobalAddress<Edge> edges;  // linear, nedge of them
  int64_t nedge = 0;
  int64_t nv = 0;

  /// A Graph500 Kronecker graph of 2^scale vertices (kronecker.hpp).
  /// From: task. Suspends. Messages: as forall; edges are made by their owners.
  static TupleGraph Kronecker(int scale, int64_t desired_nedge, uint64_t seed1, uint64_t seed2);

  /// A graph of `nv` vertices whose edges join any two of them (uniform.hpp). As Kronecker.
  static TupleGraph Uniform(int64_t nv, int64_t nedge, uint64_t seed);

  /// A grid of rows times columns vertices, a path if rows is 1 (grid.hpp). As Kronecker.
  static TupleGraph Grid(int64_t rows, int64_t columns);

  /// Reads a file that all cores can open, every core its own part. `format` is a name of
  /// graph_format.hpp: "el" or "tsv" (an edge list), "mm" (Matrix Market), "bintsv4", "graph500" or
  /// "packed48" (records of two ids); "" tells it from the suffix. Other files than Matrix Market
  /// have the vertices 0 .. their largest id. A file that cannot be read or makes no graph ends the
  /// job by input_error, with its first bad line or record. From: task. Suspends. Messages: those
  /// of memcpy, for each MiB of edges.
  static TupleGraph Load(const std::string& path, const std::string& format = "");

  /// As Load, but leaves a bad file to the caller: false, and one line in `error`.
  static bool try_load(const std::string& path, const std::string& format, TupleGraph* graph,
                       std::string* error);

  /// Writes the edges, in their order, to a file that all cores can open, every core its own part.
  /// Formats as for Load, except "wel". The file is as before, or not there, until all of it has
  /// been written; what cannot be written ends the job by input_error. From: task. Suspends.
  /// Messages: those of memcpy, twice for each MiB of edges.
  void save(const std::string& path, const std::string& format = "") const;

  /// As save, but leaves what goes wrong to the caller: false, and one line in `error`.
  bool try_save(const std::string& path, const std::string& format, std::string* error) const;

  /// A small graph from edges at hand. From: task. Suspends. Messages: those of memcpy.
  static TupleGraph from_edges(int64_t nv, const std::vector<Edge>& edges);

  /// Frees the edges. From: task.
  void destroy();
};

}  // namespace Grappa
