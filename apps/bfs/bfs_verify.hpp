#pragma once

/// Validation of a breadth-first search by the rules of the Graph500 specification ("Kernel 2 -
/// Validation"). The validation uses only the tree and the input edges.
///   1. The tree has no cycle, and every reached vertex leads to the root.
///   2. Each tree edge connects vertices whose levels differ by exactly one.
///   3. Each input edge connects levels at most one apart, or two unreached vertices.
///   4. The tree spans the whole component of the root: no input edge leaves it.
///   5. Each tree edge is an input edge.
/// Levels are computed from the tree by pointer doubling, which takes log2(n) rounds for a path of
/// n vertices.

#include <Grappa.hpp>

#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::TupleGraph;
using Grappa::VertexID;

struct Verdict {
  bool valid;
  int rule;              // the lowest broken rule; 0 if the search is valid
  VertexID vertex;       // the lowest vertex that breaks the rule; -1 if the search is valid
  std::string sentence;  // names the vertex and the rule; empty if the search is valid

  /// For a valid tree: the number of reached vertices, and the number of input edges between them,
  /// including self-loops and repeated edges (the traversed edges of Graph500).
  int64_t reached;
  int64_t traversed_edges;
};

/// The extent of the validation of a search.
enum class VerifyLevel {
  None,     // no validation
  Sampled,  // rules 1 and 2 for all vertices, 3 to 5 for the edges of one vertex in 64
  Full      // all rules for all edges, as Graph500 requires
};

/// Verifies at `level`. `first_ends` is the result of count_first_ends (traversed.hpp), which
/// counts the traversed edges where not all edges are checked; VerifyLevel::Full does not need it.
/// The choice of sampled vertices depends on the root.
Verdict verify_at(VerifyLevel level, const TupleGraph& graph, VertexID root,
                  GlobalAddress<VertexID> parent, GlobalAddress<int64_t> first_ends);

/// Returns the level of each vertex of a valid tree, -1 if unreached, as a linear array, which the
/// caller frees. From: task, one at a time. Suspends. Messages: two for each vertex and round.
GlobalAddress<int64_t> tree_levels(const TupleGraph& graph, VertexID root,
                                   GlobalAddress<VertexID> parent);

/// Verifies the tree of a search from `root` (0 to nv-1). `parent` is a linear array of `graph.nv`
/// elements: the parent of each vertex, the root itself for the root, -1 for an unreached vertex.
/// From: task, one at a time. Suspends. Messages: two an input edge, two a vertex in each round.
Verdict verify(const TupleGraph& graph, VertexID root, GlobalAddress<VertexID> parent);

/// Like verify, for a search that also computes levels (linear, -1 if unreached). The given levels
/// are checked by rules 2 to 4, which also exclude cycles; no levels are computed from the tree.
Verdict verify_levels(const TupleGraph& graph, VertexID root, GlobalAddress<VertexID> parent,
                      GlobalAddress<int64_t> level);

/// Bytes of the global heap that the verification needs at any level, including `parent`.
double verify_bytes_needed(int64_t nv);

}  // namespace bfs
