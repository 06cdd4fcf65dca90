#pragma once

/// Validation of a breadth-first search by the rules of the Graph500 specification ("Kernel 2 -
/// Validation"). The validation uses only the tree and the input edges.
///   1. The tree has no cycle, and every reached vertex leads to the root.
///   2. Each tree edge connects vertices whose levels differ by exactly one.
///   3. Each input edge connects vertices whose levels differ by at most one, or unreached
///      vertices.
///   4. The tree spans the whole component of the root: no input edge leaves it.
///   5. Each tree edge is an input edge.
/// Levels are computed from the tree by pointer doubling: log2(n) rounds for a path of n vertices.

#include <Grappa.hpp>

#include "apps/common/input_edges.hpp"
#include "apps/common/verdict.hpp"
#include "structures/graph/tuple_graph.hpp"

namespace bfs {

using apps::Verdict;
using Grappa::GlobalAddress;
using Grappa::VertexID;

enum class VerifyLevel {
  None,
  Sampled,  // rules 1 and 2 for all vertices, rules 3 to 5 for the edges of one vertex in 64
  Full      // all rules for all edges, as Graph500 requires
};

/// The number of reached vertices and the number of input edges between them, including self-loops
/// and repeated edges of a list of edges: the traversed edges of Graph500.
struct Traversed {
  int64_t reached, edges;
};

struct Node;  // the state of a vertex

/// Validates searches of the graph with these edges. `parent` is a linear array with
/// the parent of each vertex. The root is its own parent; unreached vertices have -1. All: From:
/// task, one at a time. Suspends. Messages: two per input
/// edge, and two per vertex and round.
class Verifier {
 public:
  Verifier(const apps::InputEdges& edges, VerifyLevel level);
  ~Verifier();
  Verifier(const Verifier&) = delete;

  /// Validates the tree of a search from `root`, which also determines the sample of vertices.
  Verdict verify(VertexID root, GlobalAddress<VertexID> parent);

  Traversed count_traversed(GlobalAddress<VertexID> parent) const;

  /// Returns the levels in a valid tree (-1: unreached) as a linear array that the caller frees.
  GlobalAddress<int64_t> tree_levels(VertexID root, GlobalAddress<VertexID> parent);

 private:
  Verdict find_levels(VertexID root, GlobalAddress<VertexID> parent);  // checks rule 1

  const apps::InputEdges edges_;
  const VerifyLevel level_;
  const GlobalAddress<Node> nodes_;
  const GlobalAddress<int64_t> counts_;  // linear: the counts of InputEdges::count
};

/// Returns the bytes of the global heap that the validation needs at any level, including `parent`.
double verify_bytes_needed(int64_t nv);

}  // namespace bfs
