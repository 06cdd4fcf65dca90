#pragma once

/// Knobs of parallel/. The runtime defines a flag for those that a user may want to turn.

#include <cstdint>

namespace Grappa {

struct ParallelOptions {
  /// Iterations of a loop that one task takes at a time. 0: so many that each worker gets several
  /// turns, but at most kLargestAutomaticChunk.
  int64_t loop_threshold = 0;
};

namespace detail {
extern ParallelOptions the_parallel_options;
}  // namespace detail

inline ParallelOptions& parallel_options() { return detail::the_parallel_options; }

}  // namespace Grappa
