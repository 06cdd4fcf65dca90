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
struct EdgeSets {
  uint64_t at_low = 1;
  uint64_t at_high = 1;

  /// Adds an entry of the list of `v`, which must not be `v` itself.
  void add(const EdgeKey& key, VertexID v, VertexID neighbour) {
    const uint64_t low = static_cast<uint64_t>(std::min(v, neighbour));
    const uint64_t high = static_cast<uint64_t>(std::max(v, neighbour));
    const uint64_t code = add_mod(low, multiply_mod(key.factor, high));
    uint64_t& set = v < neighbour ? at_low : at_high;
    set = multiply_mod(set, add_mod(key.point, kPrime - code));
  }

  static EdgeSets unite(const EdgeSets& a, const EdgeSets& b) {
    EdgeSets both;
    both.at_low = multiply_mod(a.at_low, b.at_low);
    both.at_high = multiply_mod(a.at_high, b.at_high);
    return both;
  }

  static constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;  // all arithmetic is modulo this

 private:
  static uint64_t add_mod(uint64_t a, uint64_t b) {
    const uint64_t sum = a + b;
    return sum < kPrime ? sum : sum - kPrime;
  }
  static uint64_t multiply_mod(uint64_t a, uint64_t b) {
    __extension__ typedef unsigned __int128 Product;
    const Product product = static_cast<Product>(a) * b;
    return add_mod(static_cast<uint64_t>(product & kPrime), static_cast<uint64_t>(product >> 61));
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
