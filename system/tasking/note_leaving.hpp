#pragma once

/// Records switches between workers in the event log.

#include "system/base/compiler.hpp"
#include "system/observe/event_log.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/worker.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

inline void log_leaving(EventLog* log, Scheduler& scheduler) {
  const Worker& worker = *scheduler.current();
  log->leave(worker.number, worker.runs, worker.role == Worker::Role::Polls,
             static_cast<uint8_t>(worker.waits.kind()), worker.waits.detail(),
             log->each_switch() ? 0 : scheduler.take_unnoted());
}

/// Records that the current worker is about to be switched out, or that its task or handler has
/// ended. The wait reason of the worker must be set before the call.
inline void note_leaving(Scheduler& scheduler) {
  EventLog* const log = event_log();
  if (GRAPPA_UNLIKELY(log != nullptr)) detail::log_leaving(log, scheduler);
}

/// Like note_leaving(), for frequent switches, which the log may omit.
inline void note_frequent_leaving(Scheduler& scheduler) {
  EventLog* const log = event_log();
  if (GRAPPA_UNLIKELY(log != nullptr) && !log->passes_over()) detail::log_leaving(log, scheduler);
}

}  // namespace detail
}  // namespace Grappa
