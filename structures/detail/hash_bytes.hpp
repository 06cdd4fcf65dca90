#pragma once

/// The hash of a key of variable length, which all cores compute alike.
///
/// It multiplies and mixes 8 bytes at a time, and mixes the result by the output function of "Fast
/// Splittable Pseudorandom Number Generators", OOPSLA 2014. It has no seed, and can be inverted, so
/// it gives no protection against keys that were chosen to have equal hashes.

#include "system/base/view.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace Grappa { namespace detail {

inline uint64_t hash_bytes(View<char> key) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  const char* at = key.data();
  size_t left = key.size();
  uint64_t x = left * kFactor;
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    x = (x ^ word) * kFactor;
    x ^= x >> 32;
  }
  if (left != 0) {
    uint64_t word = 0;
    std::memcpy(&word, at, left);
    x = (x ^ word) * kFactor;
    x ^= x >> 32;
  }
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The bytes of a key and their hash.
struct HashedKey {
  View<char> bytes;
  uint64_t hash;

  explicit HashedKey(View<char> its_bytes) : bytes(its_bytes), hash(hash_bytes(its_bytes)) {}
  HashedKey(View<char> its_bytes, uint64_t its_hash) : bytes(its_bytes), hash(its_hash) {}
};

}}  // namespace Grappa::detail
