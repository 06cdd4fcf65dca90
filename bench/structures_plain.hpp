#pragma once

/// Pushes to a shared list by the programs that a user would write without a global structure. All
/// functions run `n` pushes of different values from all cores. The result is right if the list
/// has `n` elements and their sum. From: the main task.

#include "bench/structures_workload.hpp"

#include <cstdint>

namespace bench {

/// Each push is one delegate call, which appends the value to a vector of core 0.
Run run_appends(int64_t n);
Run run_async_appends(int64_t n);

/// Each push takes the next index from core 0 by fetch_and_add, and then writes the value to this
/// element of a global array.
Run run_reservations(int64_t n);

}  // namespace bench
