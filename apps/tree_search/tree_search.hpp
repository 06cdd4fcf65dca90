#pragma once

/// A random tree whose vertices are in the global heap, distributed over all cores, and counts of
/// its vertices of one colour.
///
/// Vertex 0 is the root. The children of a vertex are consecutive in the array, after the children
/// of all earlier vertices; an index and a count describe the children. The number of children and
/// the colour of a vertex are random functions of its index and the seed. When every vertex has a
/// parent, the remaining vertices are leaves.

#include <Grappa.hpp>

#include <cstdint>

namespace tree_search {

struct Parameters {
  int64_t vertices;
  int64_t most_children;  // largest number for a vertex, at least 1
  int64_t colours;
  int64_t seed;
};

struct Vertex {
  int64_t first_child;
  int32_t children;
  int32_t colour;
};

/// Generates the vertices one after another, without storing them.
class Generator {
 public:
  explicit Generator(const Parameters& parameters) : parameters_(parameters) {}

  /// The first call returns vertex 0, the second call vertex 1, and so on.
  Vertex next();

 private:
  const Parameters parameters_;
  int64_t index_ = 0;
  int64_t next_child_ = 1;  // the first vertex without a parent
};

typedef Grappa::GlobalAddress<Vertex> Tree;

/// Creates a tree, which the caller frees with global_free. From: task. Suspends: until each core
/// has written its vertices.
Tree make_tree(const Parameters& parameters);

/// Counts the vertices of the colour in one task for each vertex, which any core may run, within
/// one finish. Only one search may run at a time. From: task. Suspends.
int64_t count_by_tasks(Tree tree, int32_t colour);

/// Counts the vertices recursively. In the first `levels` levels, each vertex counts its children
/// in tasks, and waits for them in a finish that is nested in the finish of the parent. Below, one
/// task searches a whole subtree and prefetches the vertices whose index it knows. From: task.
/// Suspends.
int64_t count_by_nested_finish(Tree tree, int32_t colour, int levels);

}  // namespace tree_search
