#include "apps/tree_search/tree_search.hpp"

#include <algorithm>

namespace tree_search {
namespace {

// Mixes the bits of a number, so that consecutive numbers give random-looking results. (G. Steele,
// D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.)
uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Vertex Generator::next() {
  const uint64_t bits = mix(mix(uint64_t(parameters_.seed)) + uint64_t(index_));
  const int64_t children = int64_t((bits >> 32) % uint64_t(parameters_.most_children + 1));
  // The last vertex so far must have at least one child, because otherwise the tree would end.
  const bool last = index_ + 1 == next_child_;
  const int64_t left = parameters_.vertices - next_child_;
  const Vertex vertex = {next_child_,
                         int32_t(std::min(left, std::max<int64_t>(children, last ? 1 : 0))),
                         int32_t(uint32_t(bits) % uint64_t(parameters_.colours))};
  ++index_;
  next_child_ += vertex.children;
  return vertex;
}

Tree make_tree(const Parameters& parameters) {
  const Tree tree = Grappa::global_alloc<Vertex>(parameters.vertices);
  Grappa::on_all_cores([tree, parameters] {
    Generator generator(parameters);
    for (int64_t k = 0; k < parameters.vertices; ++k) {
      const Vertex vertex = generator.next();
      const Tree place = tree + k;
      if (place.core() == Grappa::mycore()) *place = vertex;
    }
  });
  return tree;
}

}  // namespace tree_search
