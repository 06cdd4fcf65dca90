#pragma once

/// Asynchronous inserts into a global map, and what one core does alone.

#include "bench/structures_workload.hpp"

#include <cstdint>

namespace bench {

/// Inserts `n` distinct random keys by all cores into a map of its own. Right: the map has as many
/// keys afterwards, those that are looked up have their values, and others are absent. From: the
/// main task.
Run run_async_inserts(int64_t n);

/// The calling core alone inserts `n` such keys into a table of the kind that a global map has on
/// each core. Right: as above. From: the main task.
Run run_local_inserts(int64_t n);

}  // namespace bench
