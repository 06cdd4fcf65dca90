#pragma once

/// Knobs of tasking/. The runtime defines a flag for those that a user may want to turn.

#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {

struct TaskingOptions {
  /// Address space of one worker's stack. Pages are taken when touched, so a generous stack costs
  /// nothing until it is used.
  size_t stack_bytes = 256 * KiB;

  /// Stack of the worker that runs the main task: what programs are used to.
  size_t main_stack_bytes = 8 * MiB;

  /// Tasks that may be under way on one core at a time. More are made only when all of them wait.
  int64_t num_workers = 1024;

  /// Switches between workers before the network is polled and new tasks get their turn although
  /// workers are ready.
  int switches_per_poll = 64;

  /// Rounds in which nothing at all happened before another worker is made beyond num_workers.
  int idle_rounds_before_growth = 256;

  /// Turns of the dispatcher, a poll apart, in which no task ended although workers were ready,
  /// before another is made beyond num_workers: they may all be yielding until a queued task has
  /// run.
  int stalled_turns_before_growth = 1024;

  /// Rounds in which nothing happened before the processor is offered to other processes.
  int idle_rounds_before_yield = 32;
};

}  // namespace Grappa
