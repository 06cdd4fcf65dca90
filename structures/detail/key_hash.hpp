#pragma once

/// The owner of a key, and the bucket of the key in the owner's table.
///
/// std::hash of an integer is the integer itself, and a program's own hash is often poor, too. So a
/// bijective mixing step follows, which makes every bit depend on every bit. The owner depends on
/// the upper half of the result and the bucket on the lower bits: so the keys of one core use all
/// of its buckets, up to 2^32.

#include "system/base/ids.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// The output function of "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
inline uint64_t mix_bits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The program's hash, mixed. The hash has no state: all cores compute the same value.
template <class K, class Hash>
struct KeyHash {
  size_t operator()(const K& key) const { return mix_bits(static_cast<uint64_t>(Hash()(key))); }
};

/// The owner of the keys with this mixed hash.
inline Core owner_of_hash(uint64_t hash) {
  return static_cast<Core>(((hash >> 32) * static_cast<uint64_t>(cores())) >> 32);
}

}  // namespace detail
}  // namespace Grappa
