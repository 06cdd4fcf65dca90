#pragma once

/// The types that all graph code shares: a vertex id, an edge as a pair of ids, and its attributes.

#include <cstdint>

namespace Grappa {

/// The vertices of a graph are 0 .. nv-1. Where documented, -1 means "no vertex".
typedef int64_t VertexID;

/// An edge of a file or of a generator. The caller decides whether the edge has a direction.
struct TupleEdge {
  VertexID v0;
  VertexID v1;
};

/// What a file may give for an edge in addition to the ids (graph/README.md). As large as an edge,
/// so element i of an array of attributes is on the core of element i of the array of edges.
struct EdgeAttributes {
  double weight;
  double time;  // 0 if the file has none
};
static_assert(sizeof(EdgeAttributes) == sizeof(TupleEdge), "both arrays have the same layout");

inline bool operator==(const TupleEdge& a, const TupleEdge& b) {
  return a.v0 == b.v0 && a.v1 == b.v1;
}
inline bool operator!=(const TupleEdge& a, const TupleEdge& b) { return !(a == b); }

}  // namespace Grappa
