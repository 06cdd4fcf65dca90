#pragma once

/// The interface of all search algorithms.

#include "apps/bfs/bfs_graph.hpp"

#include <memory>

namespace bfs {

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

}  // namespace bfs
