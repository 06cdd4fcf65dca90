#pragma once

/// What all cores have recorded over time, in one file.

#include "system/observe/event_log.hpp"
#include "system/observe/trace.hpp"

#include <ostream>

namespace Grappa {
namespace detail {

/// This core's samples; null if none were asked for (--trace_file, --trace).
extern Trace* the_trace;

/// This core's events, recording or not; null if none were asked for (--trace).
extern EventLog* the_events;

/// Fetches the samples of each core, piece by piece, and writes them. False if there are none.
/// From: task. Suspends: for each piece. Messages: 2 for each piece.
bool write_trace(std::ostream& out);

/// Fetches the events of each core, whose recording has ended, and its samples, and writes them.
/// The clocks of one machine are common to its cores; those of another are compared with this
/// core's by messages there and back, so arrows between machines are right to half of the shortest
/// such way. From: task, on core 0. Suspends: for each piece. Messages: 2 for each piece, and some
/// for each core of another machine.
void write_events(std::ostream& out);

}  // namespace detail
}  // namespace Grappa
