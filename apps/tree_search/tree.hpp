#pragma once

/// A random tree whose vertices lie in the global heap, spread over all cores.
///
/// Vertex 0 is the root. The children of a vertex follow each other in the array, behind those of
/// all vertices before it, so an index and a number name them. How many they are and which colour a
/// vertex has is drawn from its index and the seed; when all are somebody's child, the rest are
/// leaves.

#include <Grappa.hpp>

#include <cstdint>

namespace tree_search {

struct Parameters {
  int64_t vertices;
  int64_t most_children;  // of one vertex, 1 or more
  int64_t colours;
  int64_t seed;
};

struct Vertex {
  int64_t first_child;
  int32_t children;
  int32_t colour;
};

/// Says what the vertices are, one after the other, without any memory of them.
class Generator {
 public:
  explicit Generator(const Parameters& parameters) : parameters_(parameters) {}

  /// Vertex 0, then vertex 1, and so on; as often as there are vertices.
  Vertex next();

 private:
  const Parameters parameters_;
  int64_t index_ = 0;
  int64_t next_child_ = 1;  // the first vertex that is nobody's child yet
};

typedef Grappa::GlobalAddress<Vertex> Tree;

/// To be freed with global_free. From: task. Suspends: until each core has written its vertices.
Tree make_tree(const Parameters& parameters);

}  // namespace tree_search
