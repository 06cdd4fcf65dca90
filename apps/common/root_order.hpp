#pragma once

/// Vertices are chosen as roots in the order of their hashes with a seed. Every program that
/// searches the same graph, in any distribution, can use the same roots.

#include "structures/graph/edge.hpp"
#include "structures/graph/make/generators.hpp"

#include <iterator>
#include <set>

namespace apps {

/// Vertices that have a neighbour, each with its hash.
typedef std::set<std::pair<uint64_t, Grappa::VertexID>> Candidates;

/// Adds a vertex. Keeps only the first `wanted` (at least 1) of all vertices added so far.
inline void consider(Grappa::VertexID vertex, uint64_t seed, int64_t wanted, Candidates* kept) {
  const Grappa::detail::PhiloxCounter counter = {{uint64_t(vertex), 0, 0, 0}};
  const Grappa::detail::PhiloxKey key = {{seed, 0x726f6f7473}};  // "roots": not a key of an edge
  const std::pair<uint64_t, Grappa::VertexID> candidate = {
      Grappa::detail::philox4x64(counter, key).word[0], vertex};
  if (int64_t(kept->size()) == wanted) {
    if (!(candidate < *kept->rbegin())) return;
    kept->erase(std::prev(kept->end()));
  }
  kept->insert(candidate);
}

}  // namespace apps
