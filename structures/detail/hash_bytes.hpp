#pragma once

/// The hash of a key of variable length, which all cores compute alike.
///
/// It multiplies and mixes 8 bytes at a time, of which the last ones may overlap, and mixes the
/// result by the output function of "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
/// It has no seed, and can be inverted, so it gives no protection against keys that were chosen to
/// have equal hashes.

#include "system/base/view.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace Grappa { namespace detail {

/// Loads a number from any address. A loop that copies single bytes is slower, because a load must
/// wait for several stores to the same word.
template <class Word>
uint64_t load_word(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof(Word));
  return word;
}

/// The bytes of a key of 1 to 7 bytes as a number, different for different keys of this length.
inline uint64_t short_word(const char* at, size_t bytes) {
  if (bytes >= 4) return load_word<uint32_t>(at) << 32 | load_word<uint32_t>(at + bytes - 4);
  return load_word<uint8_t>(at) << 16 | load_word<uint8_t>(at + bytes / 2) << 8 |
         load_word<uint8_t>(at + bytes - 1);
}

inline uint64_t hash_bytes(View<char> key) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  const size_t bytes = key.size();
  const char* const last = key.data() + bytes;
  uint64_t x = bytes * kFactor;
  const auto mix = [&x](uint64_t word) {
    x = (x ^ word) * kFactor;
    x ^= x >> 32;
  };
  if (bytes >= 8) {
    for (const char* at = key.data(); last - at > 8; at += 8) mix(load_word<uint64_t>(at));
    mix(load_word<uint64_t>(last - 8));
  } else if (bytes != 0) {
    mix(short_word(key.data(), bytes));
  }
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Copies a key to `to`. For short keys, this takes fewer instructions than a call of memcpy.
inline void copy_bytes(char* to, View<char> key) {
  const size_t bytes = key.size();
  if (bytes > 16) {
    std::memcpy(to, key.data(), bytes);
  } else if (bytes >= 8) {
    const auto first = load_word<uint64_t>(key.data());
    const auto last = load_word<uint64_t>(key.data() + bytes - 8);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + bytes - 8, &last, sizeof last);
  } else if (bytes >= 4) {
    const auto first = static_cast<uint32_t>(load_word<uint32_t>(key.data()));
    const auto last = static_cast<uint32_t>(load_word<uint32_t>(key.data() + bytes - 4));
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + bytes - 4, &last, sizeof last);
  } else if (bytes != 0) {
    const char first = key.data()[0], middle = key.data()[bytes / 2], last = key.data()[bytes - 1];
    to[0] = first;
    to[bytes / 2] = middle;
    to[bytes - 1] = last;
  }
}

/// As a == b, but faster for short keys. Most calls compare equal keys.
inline bool equal_bytes(View<char> a, View<char> b) {
  const size_t bytes = a.size();
  if (bytes != b.size()) return false;
  if (bytes - 8 <= 8) {  // 8 to 16
    const size_t last = bytes - 8;
    return load_word<uint64_t>(a.data()) == load_word<uint64_t>(b.data()) &&
           load_word<uint64_t>(a.data() + last) == load_word<uint64_t>(b.data() + last);
  }
  if (bytes - 1 < 7) return short_word(a.data(), bytes) == short_word(b.data(), bytes);
  return bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0;
}

/// The bytes of a key and their hash.
struct HashedKey {
  View<char> bytes;
  uint64_t hash;

  explicit HashedKey(View<char> its_bytes) : bytes(its_bytes), hash(hash_bytes(its_bytes)) {}
  HashedKey(View<char> its_bytes, uint64_t its_hash) : bytes(its_bytes), hash(its_hash) {}
};

}}  // namespace Grappa::detail
