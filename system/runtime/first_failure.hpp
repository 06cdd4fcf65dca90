#pragma once

/// Who tells people that the job has failed: the first core of each machine to fail, and only that
/// one.
///
/// When one core fails, others often do so in the same moment, of the same cause; reports of all of
/// them would hide it. Everything here may be called by signal handlers, but for the first
/// function.

namespace Grappa {

/// Connects the cores of each machine. Called by all cores together, once the topology is known.
/// Without it, in a program that fails before init, the cores of a machine find each other by the
/// name that mpirun has given the job.
void share_first_failure();

/// True for the first core of this machine that calls it.
bool claim_failure();

/// The report has been written.
void failure_is_told();

/// For a core that has failed but may not report: waits until mpirun, or who has started the job,
/// ends this process; returns when nobody does so although the report is long written.
void wait_to_be_ended();

}  // namespace Grappa
