#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

DEFINE_int64(vertices, 100000, "number of vertices of the tree");

struct Vertex {
  int64_t color;
  int64_t first_child;
  int64_t children;
  int64_t padding;  // makes the size divide a block of 64 bytes
};

GlobalAddress<Vertex> tree;  // every core has a copy
int64_t found = 0;

/// Visits a vertex, and starts a stealable task for each child.
void search(int64_t index, int64_t color) {
  const Vertex vertex = delegate::read(tree + index);
  if (vertex.color == color) ++found;
  for (int64_t k = 0; k < vertex.children; ++k) {
    const int64_t child = vertex.first_child + k;
    spawn<unbound>([child, color] { search(child, color); });
  }
}

/// Counts the vertices of the subtree with the root `index`.
int64_t size_below(int64_t index) {
  const Vertex vertex = delegate::read(tree + index);
  std::vector<int64_t> sizes(static_cast<size_t>(vertex.children));
  finish([&sizes, &vertex] {
    for (int64_t k = 0; k < vertex.children; ++k) {
      spawn([&sizes, &vertex, k] {
        sizes[static_cast<size_t>(k)] = size_below(vertex.first_child + k);
      });
    }
  });
  int64_t sum = 1;
  for (const int64_t size : sizes) sum += size;
  return sum;
}

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // Vertex i has the children 3i + 1, 3i + 2 and 3i + 3, if these numbers are below n.
    const int64_t n = FLAGS_vertices;
    const GlobalAddress<Vertex> vertices = global_alloc<Vertex>(n);
    forall(vertices, n, [n](int64_t i, Vertex& vertex) {
      const int64_t first = 3 * i + 1;
      vertex.color = i % 10;
      vertex.first_child = first;
      vertex.children = first < n ? std::min<int64_t>(3, n - first) : 0;
    });
    on_all_cores([vertices] { tree = vertices; });

    finish([] { search(0, 7); });
    std::cout << reduce<int64_t, collective_add>(&found) << " vertices have color 7" << std::endl;
    std::cout << size_below(1) << " vertices are below vertex 1" << std::endl;
    global_free(vertices);
  });
  return finalize();
}
