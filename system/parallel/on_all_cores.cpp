#include "system/parallel/on_all_cores.hpp"

#include "system/message/flush_policy.hpp"
#include "system/tasking/scheduler.hpp"

namespace Grappa {
namespace detail {

void send_start(Core dest) {
  const Scheduler& mine = scheduler();
  const int64_t tasks = mine.live_tasks() + static_cast<int64_t>(mine.queued_tasks());
  if (requests_are_due(1, tasks)) flush_to(dest, FlushCause::Asked);
}

}  // namespace detail
}  // namespace Grappa
