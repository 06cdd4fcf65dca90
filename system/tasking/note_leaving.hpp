#pragma once

/// What the event log is told of workers.

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

/// The current worker is about to be left for another, and knows already what it will wait for; or
/// what it runs has ended.
inline void note_leaving(Scheduler& scheduler) {
  EventLog* const log = event_log();
  if (GRAPPA_UNLIKELY(log != nullptr)) detail::log_leaving(log, scheduler);
}

/// The same where it happens so often that the log may pass it over.
inline void note_frequent_leaving(Scheduler& scheduler) {
  EventLog* const log = event_log();
  if (GRAPPA_UNLIKELY(log != nullptr) && !log->passes_over()) detail::log_leaving(log, scheduler);
}

}  // namespace detail
}  // namespace Grappa
