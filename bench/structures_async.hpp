#pragma once

/// Asynchronous inserts into a global map, and the same inserts by a single core.

#include "bench/structures_workload.hpp"

#include <cstdint>

namespace bench {

/// Inserts `n` distinct random keys into a new map, from all cores. The result is right if the map
/// has `n` keys, lookups of inserted keys find their values, and other keys are absent. From: the
/// main task.
Run run_async_inserts(int64_t n);

/// Inserts `n` such keys on the calling core only, into a table of the type that a global map has
/// on each core. The result is checked in the same way. From: the main task.
Run run_local_inserts(int64_t n);

}  // namespace bench
