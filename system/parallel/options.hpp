#pragma once

/// Knobs of parallel/. The runtime defines a flag for those that a user may want to turn.

#include <cstdint>

namespace Grappa {
namespace detail {

struct ParallelOptions {
  /// Iterations of a loop that one task takes at a time. 0: so many that each worker gets several
  /// turns, but at most kLargestAutomaticChunk.
  int64_t loop_threshold = 0;

  /// Whether idle cores take public tasks from others.
  bool steal = true;

  /// Cores that an idle one asks at random before it leaves word with its neighbours and waits.
  int steal_attempts = 2;

  /// Tasks that change cores at a time, at most: about half a message buffer.
  int64_t most_tasks_at_once = 512;
};

extern ParallelOptions the_parallel_options;

inline ParallelOptions& parallel_options() { return the_parallel_options; }

}  // namespace detail
}  // namespace Grappa
