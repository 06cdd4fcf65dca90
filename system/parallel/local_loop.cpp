#include "system/parallel/local_loop.hpp"

#include "system/base/check.hpp"
#include "system/parallel/options.hpp"
#include "system/tasking/scheduler.hpp"

#include <limits>

namespace Grappa::detail {

ParallelOptions the_parallel_options;

int64_t loop_chunk(int64_t n, int64_t threshold) {
  const int64_t asked = threshold > 0 ? threshold : parallel_options().loop_threshold;
  if (asked > 0) return asked;
  constexpr int64_t kTurnsPerWorker = 4;
  const int64_t turns = kTurnsPerWorker * scheduler().options().num_workers;
  return std::max<int64_t>(1, std::min(kLargestAutomaticChunk, n / turns));
}

void check_iterations(int64_t start, int64_t n) {
  GRAPPA_CHECK(n >= 0) << "invalid number of iterations " << n << ", expected 0 or more";
  GRAPPA_CHECK(start <= std::numeric_limits<int64_t>::max() - n)
      << "a loop of " << n << " iterations from " << start
      << " on: start + n must fit in an int64_t, and be no more than "
      << std::numeric_limits<int64_t>::max();
}

}  // namespace Grappa::detail
