#include "structures/graph/make/kronecker.hpp"

#include "system/base/check.hpp"

#include <algorithm>

namespace Grappa {
namespace detail {
namespace {

// A quadrant is chosen by a random number of 32 bits: probabilities are exact to 2^-32.
constexpr uint64_t threshold(double probability) { return uint64_t(probability * 4294967296.0); }
constexpr uint64_t kA = threshold(0.57);
constexpr uint64_t kAB = threshold(0.57 + 0.19);
constexpr uint64_t kABC = threshold(0.57 + 0.19 + 0.19);

constexpr int kDrawsPerCall = 8;  // 256 bits

// The third word of the counter: the purpose of the random bits.
constexpr uint64_t kForEdges = 0;
constexpr uint64_t kForScrambling = 1;

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
  uint64_t row = 0;
  uint64_t column = 0;
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

}  // namespace detail
}  // namespace Grappa
