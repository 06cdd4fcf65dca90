#pragma once

/// Options of tasking/. The runtime defines a flag for each option that users may need to change.

#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

struct TaskingOptions {
  size_t stack_bytes = 256 * KiB;  // address space; the unused part costs no memory

  /// If there are more workers and their stacks are smaller, the stacks are packed (stack.hpp).
  /// With 16,384 workers, packing reduces the time of a switch by a third (bench/context_switch).
  /// With up to about 4,096 workers (not measured), the TLB covers the accessed part of all stacks
  /// on ordinary pages.
  size_t packed_below_bytes = 64 * KiB;
  int64_t packed_above_workers = 4096;

  size_t main_stack_bytes = 8 * MiB;    // for the main task: the usual stack size of a main thread
  size_t poll_stack_bytes = 256 * KiB;  // minimum if a worker polls: MPI and handlers need it

  /// Maximum number of started tasks per core, without the main task. The core exceeds the limit
  /// only if no progress is possible otherwise (WorkerLimit).
  int64_t num_workers = 1024;

  /// The unit is ready workers; 0: no prefetch. 8 to 64 perform alike (bench/context_switch).
  size_t prefetch_distance = 32;

  /// After this time, and at the latest after this number of switches and started tasks, the
  /// network is polled and new tasks may start, although workers are ready.
  int64_t poll_interval_ns = 4000;
  int switches_per_poll = 1024;

  int64_t growth_period_ns = 1000000;  // time without progress before the limit grows (WorkerLimit)

  /// After this number of consecutive idle rounds, each round calls sched_yield (a few
  /// microseconds), or sleeps (about ten milliseconds). The core sleeps only in long waits, because
  /// a sleep delays messages.
  int idle_rounds_before_yield = 32;
  int idle_rounds_before_sleep = 20000;
  int64_t idle_sleep_ns = 50000;
};

}}  // namespace Grappa::detail
