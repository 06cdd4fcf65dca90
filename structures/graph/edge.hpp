#pragma once

/// The two types that all graph code shares: a vertex id, and an edge as a pair of ids.

#include <cstdint>

namespace Grappa {

/// The vertices of a graph are 0 .. nv-1. Where documented, -1 means "no vertex".
typedef int64_t VertexID;

/// An edge of a file or of a generator. The caller decides whether the edge has a direction.
struct TupleEdge {
  VertexID v0;
  VertexID v1;
};

inline bool operator==(const TupleEdge& a, const TupleEdge& b) {
  return a.v0 == b.v0 && a.v1 == b.v1;
}
inline bool operator!=(const TupleEdge& a, const TupleEdge& b) { return !(a == b); }

}  // namespace Grappa
