#pragma once

/// Finds out that nothing can ever happen again, and says what everybody waits for.
///
/// A core is *still* if nothing of its is ready or queued, it holds no message, and no timer is
/// set: only a message can change that. When a core has been still for a while it takes part in a
/// vote, a sum over all cores of the buffers they have sent and received; who is not still does not
/// vote, so a vote ends when every core has been still at some time. If two votes in a row find the
/// same numbers, and as many received as sent, then no core has received anything between the two,
/// since that would have raised its number; each was still all that time, and at the time the first
/// vote ended nothing was on its way. So nobody can ever be woken: the job is deadlocked for
/// certain, however slow the machine is. (F. Mattern, "Algorithms for distributed termination
/// detection", Distributed Computing 2, 1987: the four counter method.)

#include <cstdint>

namespace Grappa {
namespace detail {

/// The exit status of a job that ends so.
constexpr int kDeadlockStatus = 3;

/// A core votes when it has been still for so long. Long against everything that cores usually wait
/// for, votes are rare; it has to be short only against the patience of a person.
void start_stillness(uint64_t patience_ns);

/// SchedulerHooks::still. Returns true, on all cores together, once the deadlock has been reported.
bool watch_stillness(bool first);

/// After run() on every core: takes part in a vote that others have begun. `meanwhile` is called
/// until they have come here too.
void end_stillness(void (*meanwhile)());

}  // namespace detail
}  // namespace Grappa
