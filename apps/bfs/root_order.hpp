#pragma once

/// The order in which vertices are taken as roots: that of their hashes with a seed. It does not
/// depend on how a graph is stored or spread, so every program that searches the same graph can
/// search from the same roots.

#include "structures/graph/edge.hpp"
#include "structures/graph/philox.hpp"

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

/// Keeps the first `wanted` (1 or more) of all candidates considered, as a heap with the last of
/// them on top.
inline void consider(const Candidate& candidate, int64_t wanted, std::vector<Candidate>* heap) {
  if (int64_t(heap->size()) == wanted) {
    if (!(candidate < heap->front())) return;
    std::pop_heap(heap->begin(), heap->end());
    heap->pop_back();
  }
  heap->push_back(candidate);
  std::push_heap(heap->begin(), heap->end());
}

/// The vertices of all candidates, in order.
inline std::vector<Grappa::VertexID> in_order(std::vector<Candidate> candidates) {
  std::sort(candidates.begin(), candidates.end());
  std::vector<Grappa::VertexID> vertices;
  vertices.reserve(candidates.size());
  for (const Candidate& candidate : candidates) vertices.push_back(candidate.vertex);
  return vertices;
}

}  // namespace bfs
