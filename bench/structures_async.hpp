#pragma once

/// Asynchronous inserts into a global map, and the same inserts by a single core.

#include "bench/structures_workload.hpp"

#include <cstdint>

namespace bench {

/// Inserts `n` distinct random keys into a new map, from all cores. The result is right if the map
/// has `n` keys, lookups of inserted keys find their values, and other keys are absent. From: the
/// main task.
Run run_async_inserts(int64_t n);

/// The same with a map for `capacity` keys. The time includes the creation of the map.
Run run_creation_and_inserts(int64_t n, int64_t capacity);

/// Inserts `n` such keys on the calling core only, into a table of the type that a global map has
/// on each core. The result is checked in the same way. From: the main task.
Run run_local_inserts(int64_t n);

/// Inserts `n` such keys into a table for `capacity` keys, on the calling core only. Returns the
/// time of the longest insert in microseconds, which includes interruptions of the process.
double longest_insert_us(int64_t n, int64_t capacity);

/// Counts `n` random keys from a range of 2^`log_range` with insert_or_combine<async> and
/// `partial_sums` sums (--partial_sums). The result is right if the counts add up to `n`. From: the
/// main task.
Run run_counts(int log_range, int64_t n, int partial_sums);

/// The same by hand: each core sends every key to its owner through raw_exchange(), and the owner
/// counts it in such a table as a map has on each core. Needs prepare_raw_side(). From: the main
/// task.
Run run_raw_counts(int log_range, int64_t n);

}  // namespace bench
