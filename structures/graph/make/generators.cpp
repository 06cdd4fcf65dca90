#include "structures/graph/make/generators.hpp"

#include "system/base/check.hpp"

#include <algorithm>

namespace Grappa::detail {
namespace {

// A random number of 32 bits chooses a quadrant, so probabilities are exact to 2^-32.
constexpr uint64_t threshold(double probability) { return uint64_t(probability * 4294967296.0); }
constexpr uint64_t kA = threshold(0.57);
constexpr uint64_t kAB = threshold(0.57 + 0.19);
constexpr uint64_t kABC = threshold(0.57 + 0.19 + 0.19);

constexpr int kDrawsPerCall = 8;  // 256 bits

// The third word of the counter: the purpose of the random bits.
constexpr uint64_t kForEdges = 0, kForScrambling = 1, kForPrototypes = 2;

// The second word of the key, which makes the types of graphs independent of each other.
constexpr uint64_t kUniform = 0x756e69666f726d21, kRoad = 0x726f616421, kWeb = 0x77656221;

constexpr uint64_t kCopyThreshold = threshold(WebGenerator::kCopied);

// Returns a page before v, which must not be 0: one of the last kWindow pages if `local`. The page
// is the upper half of the product of the random word and the number of pages.
VertexID page_before(VertexID v, bool local, uint64_t random) {
  __extension__ typedef unsigned __int128 Product;
  const int64_t choices = local ? std::min(v, WebGenerator::kWindow) : v;
  return v - 1 - VertexID((Product(random) * uint64_t(choices)) >> 64);
}

}  // namespace

KroneckerGenerator::KroneckerGenerator(int scale, uint64_t seed1, uint64_t seed2)
    : scale_(scale), key_{{seed1, seed2}} {
  GRAPPA_CHECK(scale >= 1 && scale <= kMaxScale)
      << "invalid scale " << scale << " of a Kronecker graph, expected 1 to " << int(kMaxScale);
  for (uint64_t round = 0; round < kScrambleRounds; ++round) {
    const PhiloxCounter random = philox4x64({{round, 0, kForScrambling, 0}}, key_);
    multiplier_[round] = random.word[0] | 1;
    addend_[round] = random.word[1];
  }
}

TupleEdge KroneckerGenerator::unscrambled_edge(int64_t index) const {
  uint64_t row = 0, column = 0;
  for (int level = 0; level < scale_; level += kDrawsPerCall) {
    const PhiloxCounter random =
        philox4x64({{uint64_t(index), uint64_t(level / kDrawsPerCall), kForEdges, 0}}, key_);
    const int draws = std::min(kDrawsPerCall, scale_ - level);
    for (int k = 0; k < draws; ++k) {
      const uint64_t draw = uint32_t(random.word[k / 2] >> (32 * (k % 2)));
      const uint64_t lower = draw >= kAB;  // quadrants C and D
      row = row << 1 | lower;
      column = column << 1 | (uint64_t(draw >= kA) ^ lower ^ uint64_t(draw >= kABC));  // B and D
    }
  }
  return TupleEdge{VertexID(row), VertexID(column)};
}

VertexID KroneckerGenerator::scramble(VertexID v) const {
  const uint64_t mask = (uint64_t(1) << scale_) - 1;
  const int fold = (scale_ + 1) / 2;
  uint64_t x = uint64_t(v);
  for (int round = 0; round < kScrambleRounds; ++round) {
    x = (x * multiplier_[round] + addend_[round]) & mask;
    x ^= x >> fold;
  }
  return VertexID(x);
}

TupleEdge KroneckerGenerator::edge(int64_t index) const {
  const TupleEdge e = unscrambled_edge(index);
  return TupleEdge{scramble(e.v0), scramble(e.v1)};
}

UniformGenerator::UniformGenerator(int64_t nv, uint64_t seed)
    : nv_(uint64_t(nv)), refused_(0), key_{{seed, kUniform}} {
  GRAPPA_CHECK(nv >= 1) << "invalid uniform graph of " << nv << " vertices, expected 1 or more";
  refused_ = -nv_ % nv_;  // 2^64 modulo nv
}

TupleEdge UniformGenerator::edge(int64_t index) const {
  __extension__ typedef unsigned __int128 Product;
  PhiloxCounter four = {};
  uint64_t taken = 0;  // number of random words used
  const auto vertex = [&] {
    Product product;
    do {
      if (taken % 4 == 0) four = philox4x64({{uint64_t(index), taken / 4, 0, 0}}, key_);
      product = Product(four.word[taken++ % 4]) * nv_;
    } while (uint64_t(product) < refused_);
    return VertexID(product >> 64);
  };
  const VertexID v0 = vertex();
  return TupleEdge{v0, vertex()};
}

GridGenerator::GridGenerator(int64_t rows, int64_t columns) : rows_(rows), columns_(columns) {
  GRAPPA_CHECK(rows >= 1 && columns >= 1) << "invalid grid of " << rows << " rows and " << columns
                                          << " columns, expected 1 or more of each";
  GRAPPA_CHECK(columns <= kMaxVertices / rows)
      << "invalid grid of " << rows << " rows and " << columns
      << " columns, expected at most 2^62 vertices";
}

RoadGenerator::RoadGenerator(int64_t rows, int64_t columns, double kept_share, uint64_t seed)
    : grid_(rows, columns), kept_(0), key_{{seed, kRoad}} {
  GRAPPA_CHECK(kept_share >= 0 && kept_share <= 1)
      << "invalid share " << kept_share << " of kept edges, expected 0 to 1";
  kept_ = threshold(kept_share);
}

TupleEdge RoadGenerator::edge(int64_t index) const {
  const TupleEdge e = grid_.edge(index);
  const bool kept = uint32_t(philox4x64({{uint64_t(index), 0, 0, 0}}, key_).word[0]) < kept_;
  return TupleEdge{e.v0, kept ? e.v1 : e.v0};
}

WebGenerator::WebGenerator(int64_t nv, int64_t links_per_page, uint64_t seed)
    : nv_(nv), links_(links_per_page), key_{{seed, kWeb}} {
  GRAPPA_CHECK(nv >= 1 && nv <= kMaxPages)
      << "invalid web graph of " << nv << " pages, expected 1 to 2^48";
  GRAPPA_CHECK(links_per_page >= 1 && links_per_page <= kMaxEdges / nv)
      << "invalid web graph of " << links_per_page << " links for each of " << nv
      << " pages, expected 1 or more for each page, and at most 2^62 links";
}

TupleEdge WebGenerator::edge(int64_t index) const {
  const VertexID v = index / links_;
  const uint64_t k = uint64_t(index % links_);
  const bool local = int64_t(k) < links_ / 2;
  VertexID page = v;  // the page whose link k is the link of v
  for (int copies = 0; page > 0; ++copies) {
    const PhiloxCounter random = philox4x64({{uint64_t(page), k, kForEdges, 0}}, key_);
    const bool copied = uint32_t(random.word[0]) < kCopyThreshold && page >= kRandomPages;
    if (!copied || copies == kMostCopies) {
      return TupleEdge{v, page_before(page, local, random.word[1])};
    }
    const PhiloxCounter prototypes = philox4x64({{uint64_t(page), 0, kForPrototypes, 0}}, key_);
    page = page_before(page, local, prototypes.word[local ? 0 : 1]);
  }
  return TupleEdge{v, 0};  // the links of page 0
}

}  // namespace Grappa::detail
