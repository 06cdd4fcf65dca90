#pragma once

/// Selects the core that reports a failure: the first core of each machine to fail, and no other.
///
/// When one core fails, other cores often fail at the same moment for the same reason. Reports of
/// all of them would hide the first one. Signal handlers may call all functions here except the
/// first two.

namespace Grappa {
namespace detail {

/// Connects the cores of a job whose launcher has provided shared memory. Called before main.
void prepare_failure_claim();

/// Connects the cores of each machine. Called by all cores together, after the topology is known.
/// Before this call, cores that mpirun has started on a machine are connected by the job's name.
void share_failure_claim();

/// Returns true for the first core of this machine that calls this function.
bool claim_failure();

/// Marks the report as written.
void failure_reported();

/// Called by a core that has failed but must not report: waits until the launcher of the job ends
/// this process. Returns if the process still runs long after the report was written.
void wait_to_be_ended();

}  // namespace detail
}  // namespace Grappa
