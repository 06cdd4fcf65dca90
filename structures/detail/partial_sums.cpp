#include "structures/detail/partial_sums.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>

namespace Grappa::detail {

void yield_while_added(const uint64_t* added, const uint64_t* held) {
  // Not compared with other numbers.
  const uint64_t sum = ticks_of(50), most_quiet = ticks_of(2000000), least = ticks_of(1000000);
  const uint64_t begin = ticks();
  uint64_t before = *added, last_change = begin, now = begin, to_send = 0;
  do {
    scheduler().yield_after_start();
    now = ticks();
    if (*added != before) last_change = now;
    before = *added;
    to_send = *held * sum;
  } while (now - last_change < std::min(to_send, most_quiet) &&
           now - begin < std::max(least, 16 * to_send));
}

void start_flush_task(const Closure& flush, TaskScope* scope) {
  scheduler().tasks().push_high_priority(flush, scope);
}

}  // namespace Grappa::detail
