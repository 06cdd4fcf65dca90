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

/// A grid without some of its edges, which resembles a road network: the degrees are small, the
/// diameter is large, and there are dead ends and a few separate parts. Each edge of GridGenerator
/// is kept with the probability `kept_share`, independently of all other edges. If edge i is not
/// kept, edge(i) returns a self-loop of its v0, so the number of edges is that of the grid. A
/// TupleGraph contains these self-loops; a Graph does not.
class RoadGenerator {
 public:
  /// `rows` and `columns` as in GridGenerator; `kept_share` in 0 .. 1, rounded down to a multiple
  /// of 2^-32.
  RoadGenerator(int64_t rows, int64_t columns, double kept_share, uint64_t seed);

  int64_t nv() const { return grid_.nv(); }
  int64_t nedge() const { return grid_.nedge(); }

  TupleEdge edge(int64_t index) const;

 private:
  GridGenerator grid_;
  uint64_t kept_;  // an edge is kept if its 32 random bits are smaller
  PhiloxKey key_;
};

/// A graph of pages and links, which resembles a part of the web: pages have similar links, a few
/// pages receive a large share of the links, and many links are to pages with similar ids. This is
/// the copying model of linear growth. (R. Kumar, P. Raghavan, S. Rajagopalan, D. Sivakumar, A.
/// Tomkins, E. Upfal, "Stochastic Models for the Web Graph", FOCS 2000.)
///
/// Edge number v * links_per_page + k is link k of page v: v0 is v, and v1 is an earlier page. The
/// links of page 0 are self-loops, which a Graph drops. With the probability kCopied, link k is a
/// copy of link k of a prototype, which is an earlier page; otherwise it is a link to a random
/// earlier page. All random choices are functions of the seed, the page and k, so edge() needs no
/// state: it follows the copies back to the original, in 1 / (1 - kCopied) steps on average.
///
/// A page has two prototypes. The first links_per_page / 2 links are local: their prototype and
/// their random page are among the kWindow pages before v. The prototype and the random page of the
/// other links are any earlier pages. According to the paper, the share of pages that receive d of
/// these other links is proportional to d^-(1 + 1 / kCopied) for large d. (If each choice were
/// local at random instead, and half of the links were local, the exponent would be at least 3: the
/// copies of a link would then grow as the square root of the number of pages, or more slowly.)
///
/// The first kRandomPages pages do not copy, which limits the share of links that they receive.
class WebGenerator {
 public:
  static constexpr int64_t kMaxPages = int64_t(1) << 48;  // bounds the bias of a choice by 2^-16
  static constexpr int64_t kMaxEdges = int64_t(1) << 62;

  /// The exponent is 2.25. That of the web is about 2.1. (A. Broder et al., "Graph Structure in the
  /// Web", WWW 2000.)
  static constexpr double kCopied = 0.8;
  static constexpr int64_t kWindow = 1 << 8;       // not measured
  static constexpr int64_t kRandomPages = 1 << 8;  // not measured
  static constexpr int kMostCopies = 64;           // more copies have the probability 10^-6

  /// `nv` is 1 to kMaxPages, `links_per_page` is 1 or more, and the graph has at most kMaxEdges.
  WebGenerator(int64_t nv, int64_t links_per_page, uint64_t seed);

  int64_t nv() const { return nv_; }
  int64_t nedge() const { return nv_ * links_; }

  TupleEdge edge(int64_t index) const;

 private:
  int64_t nv_;
  int64_t links_;
  PhiloxKey key_;
};

}}  // namespace Grappa::detail
