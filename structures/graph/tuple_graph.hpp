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

  /// Reads a file that all cores can open, every core its own part. `format` is "el" or "tsv" (an
  /// edge list) or "mm" (Matrix Market), see edge_text.hpp; "" tells it from the suffix: .el .wel
  /// .tsv .txt or .mtx .mm. An edge list has the vertices 0 .. its largest id. A file that cannot
  /// be read or makes no graph ends the job by input_error, with its first bad line. From: task.
  /// Suspends. Messages: one per four edges.
  static TupleGraph Load(const std::string& path, const std::string& format = "");

  /// As Load, but leaves a bad file to the caller: false, and one line in `error`.
  static bool try_load(const std::string& path, const std::string& format, TupleGraph* graph,
                       std::string* error);

  /// A small graph from edges at hand. From: task. Suspends. Messages: one per four edges.
  static TupleGraph from_edges(int64_t nv, const std::vector<Edge>& edges);

  /// Frees the edges. From: task.
  void destroy();
};

}  // namespace Grappa
