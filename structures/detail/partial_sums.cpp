#include "structures/detail/partial_sums.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"

namespace Grappa::detail {

void yield_while_added(const uint64_t* added, const uint64_t* open) {
  constexpr uint64_t kNsPerSum = 50, kMostNs = 1000000000;  // not compared with others
  const uint64_t begin = ticks(), ticks_per_sum = ticks_of(kNsPerSum), most = ticks_of(kMostNs);
  uint64_t before = *added, last_change = begin, now = begin;
  do {
    scheduler().yield_after_start();
    now = ticks();
    if (*added != before) last_change = now;
    before = *added;
  } while (now - last_change < *open * ticks_per_sum && now - begin < most);
}

void start_flush_task(const Closure& flush) {
  scheduler().tasks().push_high_priority(flush, nullptr);
}

}  // namespace Grappa::detail
