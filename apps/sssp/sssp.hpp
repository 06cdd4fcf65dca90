#pragma once

/// Shortest paths from one vertex by delta-stepping (U. Meyer, P. Sanders, "Delta-Stepping: A
/// Parallelizable Shortest Path Algorithm", Journal of Algorithms 49, 2003). All edges are treated
/// as light. Weights are positive integers, and distances have 32 bits.

#include <Grappa.hpp>

#include "apps/common/verdict.hpp"
#include "structures/graph/edge_weight.hpp"
#include "structures/graph/graph.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <memory>
#include <string>

namespace sssp {

using Grappa::GlobalAddress;
using Grappa::VertexID;

typedef Grappa::Graph<Grappa::NoData> PathGraph;

constexpr int64_t kMostWeight = int64_t{1} << 31;

/// The weights of edges: whole numbers from 1 to `largest`, which is at most kMostWeight. They are
/// those of Grappa::edge_weight, or the attributes of a list of edges, which must outlive them.
struct Weights {
  uint64_t seed;
  int64_t largest;
  double mean;              // without self-loops
  Grappa::TupleGraph list;  // if it has no attributes, the weights are random

  static Weights random(uint64_t seed, int64_t largest) {
    return {seed, largest, double(largest) / 2, Grappa::TupleGraph()};
  }

  /// Aborts by input_error if a weight is not in range, except that of a self-loop. The error
  /// message begins with `name`. From: task. Suspends: until done.
  static Weights from(const Grappa::TupleGraph& list, const std::string& name);

  bool are_random() const { return !list.attributes; }

  /// Returns the weight of edge `i` of a list of edges, on the core of the edge.
  int64_t of(int64_t i, const Grappa::TupleEdge& edge) const {
    return are_random() ? Grappa::edge_weight(edge.v0, edge.v1, seed, largest)
                        : static_cast<int64_t>((list.attributes + i).pointer()->weight);
  }
};

/// Searches of one graph, with their memory. Only the creating core may use the object, for one
/// search at a time. All: From: task. Suspends.
class Paths {
 public:
  virtual ~Paths() = default;

  /// Finds the distances from `root`. A distance of 2^32 - 1 - largest or more is bad
  /// input. Messages: 8 bytes (16 if a slot has 8 bytes) for each path to a vertex of another
  /// core that is shorter than the known paths.
  virtual void find(VertexID root) = 0;

  /// Finds a parent of each reached vertex, after find(): a neighbour on a shortest path. Messages:
  /// each locale sends the distances of its slots to each other locale.
  virtual void find_parents() = 0;

  /// Copy the results of the last search to linear arrays of nv elements. -1: unreached. The root
  /// is its own parent. Messages: one for each vertex.
  virtual void copy_distances(GlobalAddress<int64_t> distances) = 0;
  virtual void copy_parents(GlobalAddress<VertexID> parents) = 0;
};

/// `delta` is the width of a bucket of distances, at least smallest_delta(). Memory: on each core,
/// 8 bytes for each entry of its lists (16 if a slot has 8 bytes) and 12 bytes for each vertex; in
/// each locale, 4 bytes for each slot. From: task. Suspends. Messages: none, or for weights of a
/// list, two for each edge. Repeated edges have the smallest of their weights.
std::unique_ptr<Paths> delta_stepping(GlobalAddress<PathGraph> g, const Weights& weights,
                                      int64_t delta);

/// A core has a bucket for each multiple of delta up to the largest weight, at most 2^16.
int64_t smallest_delta(const Weights& weights);

/// A delta that is nearly the fastest, from the means of the weights and of the numbers of
/// neighbours.
int64_t good_delta(GlobalAddress<PathGraph> g, const Weights& weights);

}  // namespace sssp
