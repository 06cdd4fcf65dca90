#pragma once

/// Reads by one task, one after the other, for bench/message_latency.

#include "bench/harness/pairs.hpp"

#include <cstdint>

namespace bench {

/// What else runs: a task that does nothing but yield, on a core.
enum class Beside { Nothing, ReaderYields, OwnerYields };

/// Nanoseconds of one of `most` reads from core 1, or of as many as it takes 50 ms for. From: the
/// main task of a job of two cores.
Measurement read_ns(int64_t most, Beside beside);

}  // namespace bench
