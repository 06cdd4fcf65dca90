#pragma once

/// Who tells people that the job has failed: the first core of each machine to fail, and only that
/// one.
///
/// When one core fails, others often do so in the same moment, of the same cause; reports of all of
/// them would hide it. Everything here may be called by signal handlers, but for the first
/// two functions.

namespace Grappa {
namespace detail {

/// Connects the cores of a job that the launcher has given memory to. Called before main.
void prepare_first_failure();

/// Connects the cores of each machine. Called by all cores together, once the topology is known.
/// Without it, in a program that fails before init, the cores that mpirun has started on a machine
/// find each other by the name that it has given the job.
void share_first_failure();

/// True for the first core of this machine that calls it.
bool claim_failure();

/// The report has been written.
void failure_is_told();

/// For a core that has failed but may not report: waits until the launcher of the job ends this
/// process; returns when nobody does so although the report is long written.
void wait_to_be_ended();

}  // namespace detail
}  // namespace Grappa
