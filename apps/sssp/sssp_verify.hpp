#pragma once

/// Validation of shortest paths by the rules of the Graph500 specification ("Kernel 3"), from only
/// the results and the input edges:
///   1. The root has the distance 0, is its own parent, and every reached vertex has a parent.
///   2. A path has each distance: the distance of a reached vertex is that of its parent plus the
///      weight of the edge to the parent. The parent is any vertex if no parents are given.
///   3. No edge is a shortcut: the distances of its ends differ by at most its weight.
///   4. Both ends of an edge are reached, or none.
/// Weights are positive, so a distance that meets rules 1 to 3 is right, and the parents have no
/// cycle.

#include <Grappa.hpp>

#include "apps/common/verdict.hpp"
#include "apps/sssp/sssp.hpp"
#include "structures/graph/tuple_graph.hpp"

namespace sssp {

struct Node;  // the state of a vertex

/// The number of reached vertices and the number of input edges between them, including self-loops
/// and repeated edges: the traversed edges of Graph500.
struct Traversed {
  int64_t reached, edges;
};

/// Validates searches of `graph`, which must outlive the object. All: From: task, one at a time.
/// Suspends. Messages: four per input edge.
class PathVerifier {
 public:
  PathVerifier(const Grappa::TupleGraph& graph, const Weights& weights);
  ~PathVerifier();
  PathVerifier(const PathVerifier&) = delete;
  PathVerifier& operator=(const PathVerifier&) = delete;

  /// `distances` and `parents` are linear arrays. -1: unreached. `parents` may be null.
  apps::Verdict verify(VertexID root, GlobalAddress<int64_t> distances,
                       GlobalAddress<VertexID> parents);

  /// Counts for the last call of verify().
  Traversed traversed() const { return traversed_; }

 private:
  const Grappa::TupleGraph& graph_;
  const Weights weights_;
  const GlobalAddress<Node> nodes_;
  Traversed traversed_ = {0, 0};
};

/// Returns the bytes of the global heap that the validation needs, including its arrays.
double verify_bytes_needed(int64_t nv);

}  // namespace sssp
