#pragma once

/// A histogram in the global heap: the counts are distributed over all cores.

#include <Grappa.hpp>

#include <cstdint>

/// Allocates `keys` counts on all cores and sets them to 0. The caller frees them with global_free.
inline Grappa::GlobalAddress<int64_t> new_histogram(int64_t keys) {
  const Grappa::GlobalAddress<int64_t> counts = Grappa::global_alloc<int64_t>(keys);
  Grappa::memset(counts, 0, keys);
  return counts;
}

/// Counts the squares of 0 to n - 1, modulo the number of keys. Returns when all squares are
/// counted.
inline void count_squares(Grappa::GlobalAddress<int64_t> counts, int64_t keys, int64_t n) {
  // The iterations run on all cores. Each sends an increment to the core that owns the count.
  Grappa::forall(0, n, [counts, keys](int64_t i) {
    Grappa::delegate::increment<Grappa::async>(counts + i % keys * (i % keys) % keys, 1);
  });
}
