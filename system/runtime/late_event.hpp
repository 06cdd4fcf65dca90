#pragma once

/// Calls of code that Open MPI has unloaded, while it ends.
///
/// MPI_Finalize of Open MPI 4.1 unloads its component for PMIx before it stops the thread that runs
/// the component's events. Once in some hundred jobs an event is left then, and that thread calls a
/// function which is not there any more, when everything that the job was to do has been done. The
/// event was about nothing but the end, so the call is made to return at once.

#include <signal.h>

namespace Grappa {

/// Whether such calls may come: while MPI_Finalize runs.
void expect_late_events(bool expected);

/// True if the fatal signal was such a call by a thread that is not the core's: the handler is to
/// return, and the thread goes on behind the call. Never true but on x86-64. From: a handler.
bool skip_late_event(int signal, const siginfo_t& info, void* interrupted);

}  // namespace Grappa
