#pragma once

/// Which words random updates change: the same for all who make them.
///
/// A hash of the number of the update, so that no state goes through a loop and any core can make
/// any update. Two multiplications with a shift between them, of A. Appleby's MurmurHash3, cost
/// less than a nanosecond.

#include <cstdint>

namespace gups {

/// The word that update `k` changes, of a table of 2^log_table; log_table is 1 to 63.
inline uint64_t word_of(int64_t k, int log_table) {
  uint64_t x = static_cast<uint64_t>(k + 1) * 0xff51afd7ed558ccdu;
  x ^= x >> 32;
  return x * 0xc4ceb9fe1a85ec53u >> (64 - log_table);
}

}  // namespace gups
