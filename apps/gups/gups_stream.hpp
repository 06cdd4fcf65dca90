#pragma once

/// Selects the words that random updates change. All programs use the same function.
///
/// The word is a hash of the number of the update, so a loop needs no state, and any core can make
/// any update. The hash is from A. Appleby's MurmurHash3, has two multiplications with a shift
/// between them, and takes less than a nanosecond.

#include "apps/common/charge.hpp"

#include <cstdint>

namespace gups {

/// Returns the word that update `k` changes, in a table of 2^log_table words. log_table is 1 to 63.
inline uint64_t word_of(int64_t k, int log_table) {
  uint64_t x = static_cast<uint64_t>(k + 1) * 0xff51afd7ed558ccdu;
  x ^= x >> 32;
  return x * 0xc4ceb9fe1a85ec53u >> (64 - log_table);
}

/// Charges the time of `n` updates beyond that of their messages, if a core has `words` words of
/// the table. A blocking update also misses the stack of its task, and overlaps less.
inline void charge_updates(int64_t n, int64_t words, bool async) {
  constexpr int64_t kCachedWords = 1 << 18;
  apps::charge(n, 3);
  if (words > kCachedWords) Grappa::charge_misses(uint64_t(n) * (async ? 1 : 5));
}

}  // namespace gups
