#pragma once

/// The addresses of random updates: the same for a subject and its baseline.
///
/// A hash of the number of the update, so that no state goes through a loop: two multiplications
/// and a shift between them are as good as random here (the finalizer of A. Appleby's MurmurHash3 has
/// one round more) and cost a nanosecond or less.

#include <cstdint>

namespace bench {

/// One of 2^bits words; `bits` is 1 to 63. It is uniform in all its bits.
inline uint64_t random_word(int64_t update, int bits) {
  uint64_t x = static_cast<uint64_t>(update + 1) * 0xff51afd7ed558ccdu;
  x ^= x >> 32;
  return x * 0xc4ceb9fe1a85ec53u >> (64 - bits);
}

}  // namespace bench
