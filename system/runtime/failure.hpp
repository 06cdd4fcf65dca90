#pragma once

/// How a job ends that cannot go on: with one report, whatever has gone wrong on however many
/// cores.
///
///     grappa: core 2 of 3: Check failed: left == 0 (4 vs. 0) a promise was broken  [sort.cpp:87]
///         in worker 17, which runs main(int, char**)::<lambda()>
///         @ 0x405e31 (anonymous namespace)::merge()  at /home/me/sort.cpp:87
///         ...
///
/// A failed check, an uncaught exception, a fatal signal and a way out of main without finalize all
/// come here. The first core of a machine to fail writes the report, with one call, so that mpirun
/// cannot mix it with what others print; those that fail later keep silent. The end of the process
/// then makes mpirun end the job. The report is put together on a stack of its own, since that of a
/// worker may be small, or full; its lines are looked up by a child process, since memory may be
/// damaged (failure_stack.hpp). If a second fault comes in between, or too many seconds, what there
/// is of the report is written, with the bare addresses of the rest of the stack.

#include <string>

namespace Grappa {
namespace detail {

/// Ends the job as a failed check does: the report, then abort. From: any, also where no job is.
[[noreturn]] void fail(const std::string& sentence, const std::string& place = "");

/// The same for a failure whose place is that of a function, which the report looks up. Null: there
/// is no place.
[[noreturn]] void fail_in(const std::string& sentence, const void* code);

/// The same, but the process returns `status` instead of aborting.
[[noreturn]] void fail_with_status(const std::string& sentence, int status);

/// Takes over fatal signals, and exceptions that nobody catches, for the process. Runs before main;
/// init calls it again, in the thread that is to be the core's.
void install_failure_handlers();

/// That a call came before init, or after finalize, is told by whether the job has ended.
void job_has_ended();

}  // namespace detail
}  // namespace Grappa
