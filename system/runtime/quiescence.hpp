#pragma once

/// Detects deadlocks, and reports what all suspended workers wait for.
///
/// A core is *quiescent* if it has no ready worker, no queued task, no unsent message and no timer:
/// only a message can change that. A core that has been quiescent for a while takes part in a vote:
/// a sum over all cores of the buffers sent and of the buffers received. If two consecutive votes
/// give the same sums, and as many buffers were received as sent, the job is deadlocked, however
/// slow the machine is. docs/design.md has the proof. (F. Mattern, "Algorithms for distributed
/// termination detection", Distributed Computing 2, 1987: the four counter method.)

#include <cstdint>

namespace Grappa { namespace detail {

constexpr int kDeadlockStatus = 3;  // the exit status of a job that is deadlocked

/// Sets the time for which a core is quiescent before it votes.
void start_quiescence(int64_t patience_ns);

/// For SchedulerHooks::quiescent. Returns true, on all cores, after it has reported a deadlock.
bool watch_quiescence(bool first);

/// Called after run() on every core: takes part in a vote that other cores have begun. Calls
/// `meanwhile` until all cores have called this function.
void end_quiescence(void (*meanwhile)());

}}  // namespace Grappa::detail
