#pragma once

/// Consecutive reads by one task, for bench/message_latency.

#include "bench/harness/pairs.hpp"

#include <cstdint>

namespace bench {

/// Other work during the reads: none, or a task that only yields on the core of the reader or the
/// owner.
enum class Beside { Nothing, ReaderYields, OwnerYields };

/// Nanoseconds of one of `most` reads from core 1, or of fewer reads if these take 50 ms. From: the
/// main task of a job of two cores.
Measurement read_ns(int64_t most, Beside beside);

}  // namespace bench
