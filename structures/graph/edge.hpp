#pragma once

/// The two words that all graph code shares: a vertex id, and an edge as a pair of them.

#include <cstdint>

namespace Grappa {

/// Vertices of a graph are 0 .. nv-1. -1 stands for "no vertex" where that is said.
typedef int64_t VertexID;

/// An edge as it was read or generated. Whether it has a direction is up to whoever uses it.
struct TupleEdge {
  VertexID v0;
  VertexID v1;
};

inline bool operator==(const TupleEdge& a, const TupleEdge& b) {
  return a.v0 == b.v0 && a.v1 == b.v1;
}
inline bool operator!=(const TupleEdge& a, const TupleEdge& b) { return !(a == b); }

}  // namespace Grappa
