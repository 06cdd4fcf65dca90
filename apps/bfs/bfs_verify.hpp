#pragma once

/// Validation of a breadth-first search by the rules of the Graph500 specification ("Kernel 2 -
/// Validation"), from nothing but the tree and the edges that went in:
///   1. the tree has no cycle, and every reached vertex leads to the root;
///   2. each tree edge connects vertices whose levels differ by exactly one;
///   3. each input edge connects levels at most one apart, or two unreached vertices;
///   4. the tree spans the whole component of the root: no input edge leaves it;
///   5. each tree edge is an input edge.
/// Levels are found from the tree by pointer doubling: all vertices double the distance that they
/// have looked ahead at the same time, so that a path of n vertices takes log2(n) rounds.

#include <Grappa.hpp>

#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::TupleGraph;
using Grappa::VertexID;

struct Verdict {
  bool valid;
  int rule;              // the first that is broken; 0 if valid
  VertexID vertex;       // the lowest that breaks it; -1 if valid
  std::string sentence;  // names both; empty if valid

  /// Of a valid tree: vertices reached, and input edges between them, self-loops and repeated edges
  /// included: what Graph500 counts as traversed.
  int64_t reached;
  int64_t traversed_edges;
};

/// How much of a search is judged.
enum class VerifyLevel {
  None,     // nothing: the search is believed
  Sampled,  // rules 1 and 2 for all vertices, 3 to 5 for the edges of one vertex in 64
  Full      // what Graph500 demands
};

/// Judges by level. `first_ends` is of count_first_ends (traversed.hpp): what tells traversed edges
/// where not all edges are looked at; Full needs none. Which vertices are sampled depends on the
/// root.
Verdict verify_at(VerifyLevel level, const TupleGraph& graph, VertexID root,
                  GlobalAddress<VertexID> parent, GlobalAddress<int64_t> first_ends);

/// The level of each vertex of a tree that is right, -1 where none was reached; linear, the caller
/// frees it. From: task, one at a time. Suspends. Messages: two a vertex and round.
GlobalAddress<int64_t> tree_levels(const TupleGraph& graph, VertexID root,
                                   GlobalAddress<VertexID> parent);

/// Judges the tree of a search from `root` (in 0 .. nv-1). `parent` is linear, `graph.nv` long: the
/// parent of each vertex, the root its own, -1 where none was reached.
/// From: task, one at a time. Suspends. Messages: two for each input edge, a vertex and a round.
Verdict verify(const TupleGraph& graph, VertexID root, GlobalAddress<VertexID> parent);

/// As verify, for a search that gives levels too (linear, -1 where unreached): these are judged by
/// rules 2 to 4, which leave no room for a cycle, in place of levels found from the tree.
Verdict verify_levels(const TupleGraph& graph, VertexID root, GlobalAddress<VertexID> parent,
                      GlobalAddress<int64_t> level);

/// Bytes of the global heap that verification at any level needs, `parent` included.
double verify_bytes_needed(int64_t nv);

}  // namespace bfs
