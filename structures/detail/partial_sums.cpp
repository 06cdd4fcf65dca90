#include "structures/detail/partial_sums.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"

namespace Grappa::detail {

void yield_while_added(const uint64_t* added) {
  constexpr int64_t kMostNs = 1000000;  // not measured
  const uint64_t begin_ticks = ticks();
  const uint64_t most_ticks = ticks_of(kMostNs);
  uint64_t before;
  do {
    before = *added;
    scheduler().yield_after_start();
  } while (*added != before && ticks() - begin_ticks < most_ticks);
}

void start_flush_task(const Closure& flush) {
  scheduler().tasks().push_high_priority(flush, nullptr);
}

}  // namespace Grappa::detail
