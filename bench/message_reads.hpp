#pragma once

/// Consecutive reads by one task, for bench/message_latency.

#include "bench/harness/pairs.hpp"

#include <cstdint>

namespace bench {

/// Other work during the reads: none, or a task that only yields, on the core of the reader or of
/// the owner.
enum class Beside { Nothing, ReaderYields, OwnerYields };

/// Reads from core 1 `most` times, or fewer times if the reads take 50 ms. Returns the nanoseconds
/// of a read. From: the main task of a job of two cores.
Measurement read_ns(int64_t most, Beside beside);

}  // namespace bench
