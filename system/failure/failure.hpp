#pragma once

/// Reports the failure of a job: one report, even if several cores fail for several reasons.
///
///     grappa: core 2 of 3: Check failed: left == 0 (4 vs. 0) a promise was broken  [sort.cpp:87]
///         in worker 17, which runs main(int, char**)::<lambda()>
///         @ 0x405e31 (anonymous namespace)::merge()  at /home/me/sort.cpp:87
///         ...
///
/// The first core of a machine to fail writes the report with one call to write(), because mpirun
/// would mix several writes with the output of other cores. Cores that fail later print nothing.
/// docs/design.md (When something goes wrong) states how a damaged process composes the report.

#include <string>
#include <vector>

namespace Grappa { namespace detail {

/// Aborts the job like a failed check: prints the report, then calls abort. From: any thread, also
/// outside of a job.
[[noreturn]] void fail(const std::string& sentence, const std::string& place = "");

/// Like fail(), but with the file and line of the function at `code`. Null: no file and line.
[[noreturn]] void fail_in(const std::string& sentence, const void* code);

/// Like fail(), but the process exits with `status` instead of aborting.
[[noreturn]] void fail_with_status(const std::string& sentence, int status);

/// Installs the handlers of this process for fatal signals and uncaught exceptions. Called before
/// main, and again by init, in the thread that becomes the thread of the core.
void install_failure_handlers();

/// Connects the cores of each machine, so that only the first core that fails writes a report.
/// Called by all cores together, after the topology is known.
void share_failure_claim();

/// Enables the closure checks in checked mode. Called after the topology is known.
void start_closure_checks();

void job_has_ended();  // later calls are reported as calls after finalize

/// Returns this core's part of the table that shows what the suspended workers wait for. Workers of
/// a core that wait for the same object or event share one line and the stack of one of them. Core
/// 0 symbolises the stacks of all cores, which is slow: all run the same binary at one address.
std::string waiting_part();

/// Merges the parts of all cores into a table. The part of a core that has not answered is empty.
std::string waiting_table(const std::vector<std::string>& parts);

/// Installs the handler of SIGUSR1: `kill -USR1` on the launcher then prints the table of the
/// running job on stderr (docs/design.md, Deadlock detection). Core 0 prints the table when all
/// parts have arrived, or after half a second: a core whose task does not switch cannot answer.
/// From: main, once, in the thread that becomes the thread of the core.
void install_live_table();

extern volatile bool live_table_due;
void answer_live_table();

inline void serve_live_table() {  // called with every poll
  if (live_table_due) answer_live_table();
}

}}  // namespace Grappa::detail
