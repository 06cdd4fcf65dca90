#pragma once

/// Writes the samples and events of all cores to one file.

#include "system/observe/event_log.hpp"
#include "system/observe/trace.hpp"

#include <ostream>

namespace Grappa {
namespace detail {

/// The samples of this core; null without --trace_file and --trace.
extern Trace* the_trace;

/// The events of this core, also after recording has ended; null without --trace.
extern EventLog* the_events;

/// Fetches the samples of each core, piece by piece, and writes them. Returns false without
/// samples. From: task. Suspends: for each piece. Messages: 2 for each piece.
bool write_trace(std::ostream& out);

/// Fetches the events and the samples of each core, after recording has ended, and writes them. The
/// cores of one machine have a common clock. The clock of another machine is compared with this
/// core's clock by round-trip messages, so times between machines are accurate to half of the
/// shortest round trip. From: task, on core 0. Suspends: for each piece. Messages: 2 for each
/// piece, and some for each core of another machine.
void write_events(std::ostream& out);

}  // namespace detail
}  // namespace Grappa
