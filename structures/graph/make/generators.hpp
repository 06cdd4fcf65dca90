#pragma once

/// The edges of generated graphs. Edge number i is a pure function of the generator's arguments and
/// i, so any core can generate any edge, and a graph is the same on any number of cores. Generators
/// are trivially copyable: a loop over all cores captures them by value.

#include "structures/graph/edge.hpp"

#include <cstdint>

namespace Grappa { namespace detail {

struct PhiloxCounter {
  uint64_t word[4];
};

struct PhiloxKey {
  uint64_t word[2];
};

/// Returns 256 random bits as a function of its arguments, so they are the same on every core. (J.
/// Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011:
/// Philox4x64-10, ten rounds, the multipliers and Weyl increments of its table 2.)
inline PhiloxCounter philox4x64(PhiloxCounter counter, PhiloxKey key) {
  __extension__ typedef unsigned __int128 Product;
  for (int round = 0; round < 10; ++round) {
    const Product p0 = Product(0xD2E7470EE14C6C93u) * counter.word[0];
    const Product p1 = Product(0xCA5A826395121157u) * counter.word[2];
    counter = PhiloxCounter{{uint64_t(p1 >> 64) ^ counter.word[1] ^ key.word[0], uint64_t(p1),
                             uint64_t(p0 >> 64) ^ counter.word[3] ^ key.word[1], uint64_t(p0)}};
    key.word[0] += 0x9E3779B97F4A7C15u;  // golden ratio
    key.word[1] += 0xBB67AE8584CAA73Bu;  // sqrt(3) - 1
  }
  return counter;
}

/// A Kronecker graph as defined by the Graph500 specification (version 1.2, "Kronecker generator"),
/// with the probabilities A = 0.57, B = 0.19, C = 0.19, D = 0.05 of the quadrants of the adjacency
/// matrix at each of `scale` levels. Vertex labels are scrambled, so they are independent of
/// degrees. Edges are independent, so the specification's shuffle of the list is not needed.
class KroneckerGenerator {
 public:
  static constexpr int kMaxScale = 62;

  /// `scale` in 1 .. kMaxScale; the graph has 2^scale vertices.
  KroneckerGenerator(int scale, uint64_t seed1, uint64_t seed2);

  TupleEdge edge(int64_t index) const;

  /// Returns the edge before scrambling. Bit k of its vertices encodes the quadrant of level k.
  TupleEdge unscrambled_edge(int64_t index) const;

  /// Returns the label of vertex v. This is a bijection on [0, 2^scale): the multiplication, the
  /// addition, and the exclusive-or of the upper onto the lower half are invertible.
  VertexID scramble(VertexID v) const;

 private:
  static constexpr int kScrambleRounds = 4;

  int scale_;
  PhiloxKey key_;
  uint64_t multiplier_[kScrambleRounds];  // odd
  uint64_t addend_[kScrambleRounds];
};

/// A graph in which an endpoint is each vertex with the same probability, as with `-u` of the GAP
/// benchmark. (S. Beamer, K. Asanovic, D. Patterson, "The GAP Benchmark Suite", 2015.) A vertex is
/// the upper half of the product of a random word and nv. Words that would bias this choice are
/// rejected. (D. Lemire, "Fast Random Integer Generation in an Interval", 2019.)
class UniformGenerator {
 public:
  UniformGenerator(int64_t nv, uint64_t seed);  // nv is 1 or more

  TupleEdge edge(int64_t index) const;

 private:
  uint64_t nv_;
  uint64_t refused_;  // words whose product has a smaller lower half are rejected
  PhiloxKey key_;
};

/// A grid. Each vertex is joined to the vertex on its right and the vertex below it, without
/// wrap-around. The vertex in row r and column c is r * columns + c. A square grid has a large
/// diameter, like a road network. First come the edges within rows, row by row, then the edges
/// between rows. v0 is the smaller vertex.
class GridGenerator {
 public:
  static constexpr int64_t kMaxVertices = int64_t(1) << 62;  // at most twice as many edges

  /// Both arguments must be 1 or more, and their product must be at most kMaxVertices.
  GridGenerator(int64_t rows, int64_t columns);

  int64_t nv() const { return rows_ * columns_; }
  int64_t nedge() const { return edges_in_rows() + (rows_ - 1) * columns_; }

  TupleEdge edge(int64_t index) const {
    if (index >= edges_in_rows()) {
      const VertexID upper = index - edges_in_rows();
      return TupleEdge{upper, upper + columns_};
    }
    const VertexID left = index + index / (columns_ - 1);  // a row has one edge fewer than vertices
    return TupleEdge{left, left + 1};
  }

 private:
  int64_t edges_in_rows() const { return rows_ * (columns_ - 1); }

  int64_t rows_;
  int64_t columns_;
};

}}  // namespace Grappa::detail
