#pragma once

/// Options of parallel/. The runtime has flags for the options that a user may want to change.

#include <cstdint>

namespace Grappa { namespace detail {

struct ParallelOptions {
  /// Iterations of a loop that one task runs at a time. 0: each worker gets several chunks of at
  /// most 256 iterations.
  int64_t loop_threshold = 0;

  /// Whether idle cores steal tasks from other cores.
  bool steal = true;

  /// Random victims that an idle core asks before it registers with its neighbours and waits.
  int steal_attempts = 2;

  /// The maximum number of tasks that move to another core at a time: about half a message buffer.
  int64_t most_tasks_at_once = 512;
};

extern ParallelOptions the_parallel_options;

inline ParallelOptions& parallel_options() { return the_parallel_options; }

}}  // namespace Grappa::detail
