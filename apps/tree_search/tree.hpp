#pragma once

/// A random tree whose vertices are in the global heap, distributed over all cores.
///
/// Vertex 0 is the root. The children of a vertex are consecutive in the array, after the children
/// of all earlier vertices; an index and a count describe them. The number of children and the
/// colour of a vertex are random functions of its index and the seed. When every vertex has a
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

  /// Returns vertex 0, then vertex 1, and so on. May be called once for each vertex.
  Vertex next();

 private:
  const Parameters parameters_;
  int64_t index_ = 0;
  int64_t next_child_ = 1;  // the first vertex without a parent
};

typedef Grappa::GlobalAddress<Vertex> Tree;

/// To be freed with global_free. From: task. Suspends until each core has written its vertices.
Tree make_tree(const Parameters& parameters);

}  // namespace tree_search
