#pragma once

/// Detects deadlocks by votes of the *quiescent* cores, and reports what all suspended workers wait
/// for (docs/design.md, Deadlock detection). (F. Mattern, "Algorithms for distributed termination
/// detection", Distributed Computing 2, 1987: the four counter method.)

#include <cstdint>

namespace Grappa { namespace detail {

constexpr int kDeadlockStatus = 3;  // the exit status of a job that is deadlocked

/// Sets the time that a core must be quiescent before it begins a vote.
void start_quiescence(int64_t patience_ns);

/// For the hook SchedulerHooks::quiescent. After a reported deadlock, returns true on all cores.
bool watch_quiescence(bool first);

/// The ticks at which watch_quiescence() must be called again, unless a vote ends before.
uint64_t quiescence_due_ticks();

/// Called after run() on every core. If other cores have begun a vote, takes part in it. Calls
/// `meanwhile` until all cores have called this function.
void end_quiescence(void (*meanwhile)());

}}  // namespace Grappa::detail
