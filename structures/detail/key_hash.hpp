#pragma once

/// Which core a key belongs to, and where in that core's table it lies.
///
/// std::hash of an integer is the integer, and a program's own hash is often no better. So a
/// bijective mixing step follows, after which every bit depends on every bit. The owner comes from
/// the upper half of the result and the bucket from the lower bits: the keys of one core are spread
/// over all of its buckets, up to 2^32 of them.

#include "system/base/ids.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, the output function.
inline uint64_t mix_bits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A program's hash, mixed. Stateless, so that all cores agree.
template <class K, class Hash>
struct KeyHash {
  size_t operator()(const K& key) const { return mix_bits(static_cast<uint64_t>(Hash()(key))); }
};

/// The core to which a mixed hash belongs.
inline Core owner_of_hash(uint64_t hash) {
  return static_cast<Core>(((hash >> 32) * static_cast<uint64_t>(cores())) >> 32);
}

}  // namespace detail
}  // namespace Grappa
