#pragma once

/// The order in which vertices are chosen as roots: the order of their hashes with a seed. The
/// order does not depend on the storage or distribution of a graph, so every program that searches
/// the same graph can use the same roots.

#include "structures/graph/edge.hpp"
#include "structures/graph/make/philox.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bfs {

/// A vertex that has a neighbour.
struct Candidate {
  uint64_t hash;
  Grappa::VertexID vertex;

  bool operator<(const Candidate& other) const {
    return hash != other.hash ? hash < other.hash : vertex < other.vertex;
  }
};

inline Candidate candidate_of(Grappa::VertexID vertex, uint64_t seed) {
  const Grappa::detail::PhiloxCounter counter = {{uint64_t(vertex), 0, 0, 0}};
  const Grappa::detail::PhiloxKey key = {{seed, 0x726f6f7473}};  // "roots": not the key of any edge
  return Candidate{Grappa::detail::philox4x64(counter, key).word[0], vertex};
}

/// Keeps the first `wanted` (at least 1) of all candidates passed so far. `heap` is a heap with the
/// last of these candidates at the top.
inline void consider(const Candidate& candidate, int64_t wanted, std::vector<Candidate>* heap) {
  if (int64_t(heap->size()) == wanted) {
    if (!(candidate < heap->front())) return;
    std::pop_heap(heap->begin(), heap->end());
    heap->pop_back();
  }
  heap->push_back(candidate);
  std::push_heap(heap->begin(), heap->end());
}

/// Returns the vertices of all candidates, in the order of the candidates.
inline std::vector<Grappa::VertexID> in_order(std::vector<Candidate> candidates) {
  std::sort(candidates.begin(), candidates.end());
  std::vector<Grappa::VertexID> vertices;
  vertices.reserve(candidates.size());
  for (const Candidate& candidate : candidates) vertices.push_back(candidate.vertex);
  return vertices;
}

}  // namespace bfs
