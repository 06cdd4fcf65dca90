#pragma once

/// The edges of a grid of rows and columns. Each vertex is joined to the vertex on its right and
/// the vertex below it, without wrap-around. The vertex in row r and column c is r * columns + c. A
/// grid of one row is a path. A square grid has a large diameter, like a road network.
///
/// Edge number i is a pure function of (rows, columns, i), so any core can generate any edge. First
/// come the edges within rows, row by row, then the edges between rows. v0 is the smaller vertex.

#include "structures/graph/edge.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// Trivially copyable: a loop over all cores captures it by value.
class GridGenerator {
 public:
  static constexpr int64_t kMaxVertices = int64_t(1) << 62;  // at most twice as many edges

  /// Both are 1 or more; their product is at most kMaxVertices.
  GridGenerator(int64_t rows, int64_t columns);

  int64_t nv() const { return rows_ * columns_; }
  int64_t nedge() const { return edges_in_rows() + (rows_ - 1) * columns_; }

  /// Returns edge number `index`, 0 to nedge() - 1.
  TupleEdge edge(int64_t index) const {
    if (index >= edges_in_rows()) {
      const VertexID upper = index - edges_in_rows();
      return TupleEdge{upper, upper + columns_};
    }
    const VertexID left =
        index + index / (columns_ - 1);  // each row has one vertex more than edges
    return TupleEdge{left, left + 1};
  }

 private:
  int64_t edges_in_rows() const { return rows_ * (columns_ - 1); }

  int64_t rows_;
  int64_t columns_;
};

}  // namespace detail
}  // namespace Grappa
