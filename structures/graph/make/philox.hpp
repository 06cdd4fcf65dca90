#pragma once

/// Random numbers as a function: philox4x64(counter, key) returns 256 random bits, on every core
/// and in every order the same. So a generated graph does not depend on the number of cores.
///
/// Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
/// SC 2011 (Philox4x64-10: ten rounds, the multipliers and Weyl increments of its table 2).

#include <cstdint>

namespace Grappa {
namespace detail {

struct PhiloxCounter {
  uint64_t word[4];
};

struct PhiloxKey {
  uint64_t word[2];
};

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

}  // namespace detail
}  // namespace Grappa
