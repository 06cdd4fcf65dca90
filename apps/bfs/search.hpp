#pragma once

/// What the forms of the search have in common.

#include "apps/bfs/bfs_graph.hpp"

#include <memory>

namespace bfs {

/// A form of the search, with the memory that it needs for one graph. Lives on the core whose task
/// has made it. One search at a time.
class Search {
 public:
  virtual ~Search() = default;

  /// Searches the component of `root`. From: task. Suspends.
  virtual void run(VertexID root) = 0;

  /// Of the last search: parent[v] = parent of v, the root its own, -1 where none was reached; in a
  /// linear array of nv. From: task. Suspends. Messages: one a vertex.
  virtual void copy_parents(GlobalAddress<VertexID> parent) = 0;
};

}  // namespace bfs
