#include "system/tasking/suspend.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/spawn.hpp"

#include <algorithm>
#include <cmath>

namespace Grappa {
namespace detail {

Worker* waiting_worker() {
  GRAPPA_CHECK(in_job() && current_worker() != nullptr)
      << "this call waits, and only a task can wait: call it inside Grappa::run";
  return current_worker();
}

void wake(Worker* worker) { scheduler().wake(worker); }

void start_task(const Closure& body, TaskScope* scope) { scheduler().start_task(body, scope); }

void start_helper_task(const Closure& body, TaskScope* scope) {
  scheduler().start_helper_task(body, scope);
}

void start_stealable_task(const StealableTask& task) { scheduler().start_stealable_task(task); }

void set_running_body(const char* signature) { current_worker()->runs = signature; }

void change_reason(Worker* worker, WaitReason reason) { scheduler().change_reason(worker, reason); }

}  // namespace detail

void sleep_for(double seconds) {
  GRAPPA_CHECK(!std::isnan(seconds)) << "sleep_for: the time is not a number (NaN)";
  constexpr double kLongest = 1e9;  // seconds
  const double ns = std::min(std::max(seconds, 0.0), kLongest) * 1e9;
  detail::scheduler().sleep_until(detail::steady_ns() + static_cast<uint64_t>(ns));
}

}  // namespace Grappa
