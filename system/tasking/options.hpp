#pragma once

/// Options of tasking/. The runtime defines a flag for each option that users may need to change.

#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

struct TaskingOptions {
  size_t stack_bytes = 256 * KiB;  // address space; the unused part costs no memory

  /// Smaller stacks of more workers are packed (stack.hpp). With 16,384 workers, packing reduces
  /// the time of a switch by a third (bench/context_switch). With up to about 4,096 workers (not
  /// measured), the TLB covers the accessed part of all stacks on ordinary pages.
  size_t packed_below_bytes = 64 * KiB;
  int64_t packed_above_workers = 4096;

  size_t main_stack_bytes = 8 * MiB;    // for the main task: the usual size of a main thread's
  size_t poll_stack_bytes = 256 * KiB;  // minimum of workers that poll: for MPI and the handlers

  /// Maximum number of started tasks per core, without the main task. The limit is exceeded only if
  /// no progress is possible otherwise (WorkerLimit).
  int64_t num_workers = 1024;

  /// In workers of the ready queue; 0: none. 8 to 64 perform about equally (bench/context_switch).
  size_t prefetch_distance = 32;

  /// Time, and maximum number of switches and tasks, after which the network is polled and new
  /// tasks may start, although workers are ready.
  int64_t poll_interval_ns = 4000;
  int switches_per_poll = 1024;

  int64_t growth_period_ns = 1000000;  // without progress, until num_workers grows (WorkerLimit)

  /// Consecutive idle rounds before each further round calls sched_yield (a few microseconds), or
  /// sleeps (about ten milliseconds). A sleep delays messages, so only long waits lead to sleeps.
  int idle_rounds_before_yield = 32;
  int idle_rounds_before_sleep = 20000;
  int64_t idle_sleep_ns = 50000;
};

}}  // namespace Grappa::detail
