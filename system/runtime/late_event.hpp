#pragma once

/// Calls of code that Open MPI has unloaded, while it ends.
///
/// MPI_Finalize of Open MPI 4.1 unloads its component for PMIx before it stops the thread that runs
/// the component's events. Once in some hundred jobs an event is left then, and that thread calls a
/// function which is not there any more, when everything that the job was to do has been done. The
/// event was about nothing but the end, so the call is made to return at once.

#include <signal.h>

namespace Grappa {

/// For as long as it lives, such calls by other threads than its maker's return. What else SIGSEGV
/// tells of is handled as before. One at a time; does nothing but on x86-64.
class LateEvents {
 public:
  LateEvents();
  ~LateEvents();
  LateEvents(const LateEvents&) = delete;
  LateEvents& operator=(const LateEvents&) = delete;

 private:
  struct sigaction before_;
};

}  // namespace Grappa
