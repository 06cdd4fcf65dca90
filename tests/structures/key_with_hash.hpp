#pragma once

/// Keys with a given hash of their bytes (structures/detail/hash_bytes.hpp), of which the hash
/// function is inverted.

#include <cstdint>
#include <cstring>
#include <string>

namespace Grappa {

inline uint64_t inverse_of(uint64_t odd) {
  uint64_t inverse = odd;  // of the lowest 3 bits; each step doubles their number
  for (int step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

inline uint64_t without_shift(uint64_t x, int bits) {  // inverts x ^ x >> bits
  uint64_t y = x;
  for (int known = bits; known < 64; known += bits) y = x ^ (y >> bits);
  return y;
}

/// Returns the key of 8 bytes with this hash.
inline std::string key_with_hash(uint64_t hash) {
  const uint64_t factor = 0x9e3779b97f4a7c15u;
  uint64_t x = without_shift(hash, 31) * inverse_of(0x94d049bb133111ebu);
  x = without_shift(x, 27) * inverse_of(0xbf58476d1ce4e5b9u);
  x = (without_shift(without_shift(x, 30), 32) * inverse_of(factor)) ^ (8 * factor);
  std::string key(sizeof x, 0);
  std::memcpy(&key[0], &x, sizeof x);
  return key;
}

}  // namespace Grappa
