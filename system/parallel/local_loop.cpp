#include "system/parallel/local_loop.hpp"

#include "system/tasking/scheduler.hpp"

namespace Grappa {
namespace detail {

ParallelOptions the_parallel_options;

int64_t loop_chunk(int64_t n, int64_t threshold) {
  const int64_t asked = threshold > 0 ? threshold : parallel_options().loop_threshold;
  if (asked > 0) return asked;
  constexpr int64_t kTurnsPerWorker = 4;
  const int64_t turns = kTurnsPerWorker * scheduler().options().num_workers;
  return std::max<int64_t>(1, std::min(kLargestAutomaticChunk, n / turns));
}

}  // namespace detail
}  // namespace Grappa
