#pragma once

/// Knobs of tasking/. The runtime defines a flag for those that a user may want to turn.

#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

struct TaskingOptions {
  /// Address space of one worker's stack. Pages are taken when touched, so a generous stack costs
  /// nothing until it is used.
  size_t stack_bytes = 256 * KiB;

  /// Stacks smaller than this, for more workers than that, are packed: side by side on huge pages,
  /// with canaries instead of guards. Switching among 16,384 workers takes a third less time so
  /// (bench/context_switch). What switches touch of 4,096 stacks is within reach of the processor's
  /// address translation on ordinary pages, or nearly so; that limit was not measured.
  size_t packed_below_bytes = 64 * KiB;
  int64_t packed_above_workers = 4096;

  /// Stack of the worker that runs the main task: what programs are used to.
  size_t main_stack_bytes = 8 * MiB;

  /// Stack of workers that poll, whatever stack_bytes is: MPI and the handlers run there.
  size_t poll_stack_bytes = 256 * KiB;

  /// Tasks that may be under way on one core at a time, besides the main task. It is exceeded only
  /// where nothing would happen otherwise (WorkerLimit).
  int64_t num_workers = 1024;

  /// Ready workers ahead of their turn whose stacks are prefetched. Anything from 8 to 64 does
  /// about as well, 0 is none (bench/context_switch).
  size_t prefetch_distance = 32;

  /// Time for which workers run before the network is polled and new tasks get their turn although
  /// workers are ready.
  int64_t poll_interval_ns = 4000;

  /// The same in switches and tasks: at most so many between two polls.
  int switches_per_poll = 1024;

  /// Time in which nothing has happened before more than num_workers tasks may be under way.
  int64_t growth_period_ns = 1000000;

  /// Rounds in a row in which nothing happened before the processor is offered to other processes
  /// in each: a few microseconds.
  int idle_rounds_before_yield = 32;

  /// The same before the core sleeps for idle_sleep_ns in each: some ten milliseconds, so that only
  /// who waits for something long pays for the sleep with a later start.
  int idle_rounds_before_sleep = 20000;
  int64_t idle_sleep_ns = 50000;
};

}  // namespace detail
}  // namespace Grappa
