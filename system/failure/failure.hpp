#pragma once

/// Reports the failure of a job: one report, even if several cores fail for several reasons.
///
///     grappa: core 2 of 3: Check failed: left == 0 (4 vs. 0) a promise was broken  [sort.cpp:87]
///         in worker 17, which runs main(int, char**)::<lambda()>
///         @ 0x405e31 (anonymous namespace)::merge()  at /home/me/sort.cpp:87
///         ...
///
/// A failed check, an uncaught exception, a fatal signal and an exit without finalize are reported
/// here. The first core of a machine to fail writes the report, with one call to write(), because
/// mpirun would mix several writes with the output of other cores. Cores that fail later print
/// nothing. When the process ends, mpirun kills the other processes. The report is composed on a
/// separate stack, because the stack of a worker may be small or full. A child process looks up
/// source lines, because memory may be damaged (failure_report.hpp). After a second fault or a
/// timeout, the incomplete report is written, with the bare addresses of the remaining frames.

#include <string>

namespace Grappa {
namespace detail {

/// Aborts the job like a failed check: prints the report, then calls abort. From: anywhere, also
/// outside of a job.
[[noreturn]] void fail(const std::string& sentence, const std::string& place = "");

/// Like fail(), and reports the file and line of the function at `code`. Null: no file and line.
[[noreturn]] void fail_in(const std::string& sentence, const void* code);

/// Like fail(), but the process exits with `status` instead of aborting.
[[noreturn]] void fail_with_status(const std::string& sentence, int status);

/// Installs the handlers of this process for fatal signals and uncaught exceptions. Runs before
/// main; init calls it again, in the thread that becomes the core's.
void install_failure_handlers();

/// Connects the cores of each machine, so that the first of them that fails reports and no other.
/// Before this call, cores that mpirun has started on a machine are connected by the job's name.
/// Called by all cores together, after the topology is known.
void share_failure_claim();

/// Enables the closure checks (closure_scan.cpp) if this process runs in checked mode. Called by
/// init after the topology is known.
void start_closure_checks();

/// Marks the job as ended. A later call of Grappa is then reported as a call after finalize.
void job_has_ended();

}  // namespace detail
}  // namespace Grappa
