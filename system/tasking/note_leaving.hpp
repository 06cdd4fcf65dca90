#pragma once

/// What the event log is told of workers.

#include "system/base/compiler.hpp"
#include "system/observe/event_log.hpp"
#include "system/tasking/worker.hpp"

#include <cstdint>

namespace Grappa {

/// The current worker is about to be left for another, and knows already what it will wait for; or
/// what it runs has ended.
inline void note_leaving(const Worker& worker) {
  if (GRAPPA_LIKELY(event_log() == nullptr)) return;
  event_log()->leave(worker.number, worker.runs, worker.role == Worker::Role::Polls,
                     static_cast<uint8_t>(worker.waits.kind()), worker.waits.detail());
}

}  // namespace Grappa
