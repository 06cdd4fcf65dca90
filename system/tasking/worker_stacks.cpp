/// The stacks of all workers of the scheduler: which is where, and what they cost.

#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>

namespace Grappa {
namespace {

Counter stack_resident("tasking.stack_resident", "bytes", "of stacks in memory");
Counter worker_cost("tasking.worker_cost", "bytes", "of memory for a worker on average",
                    Counter::Total::Max);
Counter high_water("tasking.stack_high_water", "bytes", "of a worker's stack in use at most",
                   Counter::Total::Max);

}  // namespace

const Worker* Scheduler::worker_guarding(const void* address) const {
  for (const Worker* worker : workers_) {
    if (worker->stack.guards(address)) return worker;
  }
  return nullptr;
}

void Scheduler::count_stacks() const {
  const size_t resident =
      stacks_.resident_bytes() + poll_stacks_.resident_bytes() + main_stacks_.resident_bytes();
  stack_resident.set(resident);
  worker_cost.set(workers_.empty() ? 0 : resident / workers_.size());
  size_t most = 0;
  for (const Worker* worker : workers_) most = std::max(most, worker->stack.high_water_bytes());
  high_water.set(most);
}

}  // namespace Grappa
