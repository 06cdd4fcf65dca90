#pragma once

/// Checks that each edge of an undirected graph is in the lists of both of its vertices, in one
/// pass over the lists in any order.

#include "structures/graph/edge.hpp"
#include "system/global/address.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa { namespace detail {

/// The writer of the file cannot predict these random numbers.
struct EdgeKey {
  uint64_t point;
  uint64_t factor;
};

/// The edges found in the lists of their smaller vertices, and the edges found in the lists of
/// their larger vertices. In an undirected graph, the two are equal as multisets. The polynomial of
/// a multiset is the product of (x - low - y * high) over its edges, and its value at a random
/// point (x, y) represents the multiset. Different multisets of n edges have different polynomials,
/// since factorisation is unique. For random points, two such polynomials have the same value with
/// a probability below n / 2^61. So different multisets are detected with high probability, in any
/// file. (M. Blum, S. Kannan: Designing Programs that Check Their Work, JACM 1995.)
///
/// A set has several partial products, so that the processor overlaps the multiplications. Products
/// are only reduced to numbers of 62 bits; value() reduces them to numbers below kPrime.
struct EdgeSets {
  static constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;  // all arithmetic is modulo this
  static constexpr int kLanes = 4;

  uint64_t at_low[kLanes] = {1, 1, 1, 1};
  uint64_t at_high[kLanes] = {1, 1, 1, 1};

  /// Adds an entry of the list of `v`, which must not be `v` itself.
  void add(const EdgeKey& key, VertexID v, VertexID neighbour) {
    const VertexID ids[] = {neighbour};
    add_list(key, v, ids, 1);
  }

  /// Adds entries of the list of `v`, which must be ascending and must not contain `v` itself.
  template <class Id>
  void add_list(const EdgeKey& key, VertexID v, const Id* ids, int64_t count) {
    const uint64_t self = static_cast<uint64_t>(v);
    int64_t lower = 0;  // entries below `v`
    while (lower < count && static_cast<uint64_t>(ids[lower]) < self) ++lower;
    const uint64_t x_minus_high = key.point + kPrime - value(multiply(key.factor, self));
    multiply_all(at_high, lower,
                 [=](int64_t k) { return x_minus_high + kPrime - static_cast<uint64_t>(ids[k]); });
    const uint64_t x_minus_low = value(key.point + kPrime - self) + 2 * kPrime;
    const uint64_t factor = key.factor;
    multiply_all(at_low, count - lower, [=](int64_t k) {
      return x_minus_low - multiply(factor, static_cast<uint64_t>(ids[lower + k]));
    });
  }

  static EdgeSets unite(const EdgeSets& a, const EdgeSets& b) {
    EdgeSets both;
    for (int lane = 0; lane < kLanes; ++lane) {
      both.at_low[lane] = multiply(a.at_low[lane], b.at_low[lane]);
      both.at_high[lane] = multiply(a.at_high[lane], b.at_high[lane]);
    }
    return both;
  }

  bool match() const { return product(at_low) == product(at_high); }

 private:
  // Multiplies the lanes of a set by term(0), term(1) ... in turn.
  template <class Term>
  static void multiply_all(uint64_t* set, int64_t count, const Term& term) {
    uint64_t a = set[0], b = set[1], c = set[2], d = set[3];
    int64_t k = 0;
    for (; k + kLanes <= count; k += kLanes) {
      a = multiply(a, term(k));
      b = multiply(b, term(k + 1));
      c = multiply(c, term(k + 2));
      d = multiply(d, term(k + 3));
    }
    if (k < count) a = multiply(a, term(k));
    if (k + 1 < count) b = multiply(b, term(k + 1));
    if (k + 2 < count) c = multiply(c, term(k + 2));
    set[0] = a, set[1] = b, set[2] = c, set[3] = d;
  }

  // Returns a number below 2^61 + 8 with the same residue as a * b, which must be below 2^124.
  static uint64_t multiply(uint64_t a, uint64_t b) {
    __extension__ typedef unsigned __int128 Product;
    const Product product = static_cast<Product>(a) * b;
    const uint64_t sum =
        (static_cast<uint64_t>(product) & kPrime) + static_cast<uint64_t>(product >> 61);
    return (sum & kPrime) + (sum >> 61);
  }
  static uint64_t value(uint64_t a) { return a % kPrime; }
  static uint64_t product(const uint64_t* set) {
    return value(multiply(multiply(set[0], set[1]), multiply(set[2], set[3])));
  }
};

/// Returns a random key. In a simulation, the key is always the same.
EdgeKey draw_edge_key();

/// Returns true if the edges in both sets of all cores are equal. `sets` is symmetric. From: task.
/// Suspends: until done. Messages: those of reduce.
bool all_sets_match(GlobalAddress<EdgeSets> sets);

constexpr const char* kOneSidedEdge =
    "the graph is undirected, but an edge is in the list of only one of its vertices";

}}  // namespace Grappa::detail
