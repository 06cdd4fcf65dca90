#pragma once

/// The graph to search, and the interface of the search algorithms. Each algorithm is a file, which
/// opens with an explanation: bfs_queue.cpp (also with bottom-up steps) and bfs_tuned.cpp.

#include <Grappa.hpp>

#include "apps/bfs/direction_rule.hpp"
#include "structures/combining.hpp"
#include "structures/graph/graph.hpp"

#include <memory>
#include <vector>

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::VertexID;

/// Data of a search for each vertex.
struct Visit {
  VertexID parent;  // -1 until the vertex is reached; the root is its own parent
};

typedef Grappa::Graph<Visit> SearchGraph;

/// A search algorithm, with the memory that it needs for one graph. The object is on the core of
/// the task that creates it. Only one search may run at a time.
class Search {
 public:
  virtual ~Search() = default;

  /// Searches the component of `root`. From: task. Suspends.
  virtual void run(VertexID root) = 0;

  /// Copies the parents of the last search to a linear array of nv elements: the root is its own
  /// parent, -1 if unreached. From: task. Suspends. Messages: one for each vertex.
  virtual void copy_parents(GlobalAddress<VertexID> parent) = 0;
};

/// Messages of a search: one of 16 bytes for each neighbour of each reached vertex, and those of
/// the queue for each vertex. From: task. Suspends.
std::unique_ptr<Search> queue_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode);

/// Messages: in top-down steps those of queue_search; in bottom-up steps one bit for each vertex of
/// a core to each other core, and a few for each level. From: task. Suspends.
std::unique_ptr<Search> direction_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode,
                                         const DirectionOptions& options);

/// Memory: one slot for each vertex, and on each core 3 bits for each slot. Messages: in a search,
/// at most one of 8 bytes (16 if a slot has 8 bytes) from each core for each vertex of another
/// core; in a bottom-up step, one bit for each slot of a core to each other core; at each level,
/// one reduction and at most one barrier. From: task. Suspends.
std::unique_ptr<Search> tuned_search(GlobalAddress<SearchGraph> g, const DirectionOptions& options);

/// Chooses `count` random vertices that have a neighbour, or all such vertices if there are fewer,
/// in the order of root_order.hpp. From: task, one at a time. Suspends. Messages: at most `count`
/// from each core to the caller's core.
std::vector<VertexID> choose_roots(GlobalAddress<SearchGraph> g, int64_t count, uint64_t seed);

}  // namespace bfs
