#pragma once

/// Handles calls into code that MPI_Finalize has unloaded.
///
/// MPI_Finalize of Open MPI 4.1 unloads its component for PMIx before it stops the thread that runs
/// the component's events. In one of some hundred jobs an event is pending then, and that thread
/// calls an unloaded function. The job's work is complete and the event concerns only its end, so
/// the call returns at once.

#include <signal.h>

namespace Grappa {
namespace detail {

/// While it exists, such calls return at once, except in the constructing thread. Other SIGSEGVs
/// are handled as before. At most one exists. No effect except on x86-64.
class LateEvents {
 public:
  LateEvents();
  ~LateEvents();
  LateEvents(const LateEvents&) = delete;
  LateEvents& operator=(const LateEvents&) = delete;

 private:
  struct sigaction before_;
};

}  // namespace detail
}  // namespace Grappa
