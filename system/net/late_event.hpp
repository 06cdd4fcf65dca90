#pragma once

/// Handles calls into code that MPI_Finalize has unloaded.
///
/// MPI_Finalize of Open MPI 4.1 unloads its component for PMIx before it stops the thread that runs
/// the component's events. In one of several hundred jobs an event is pending at that time, and the
/// thread calls an unloaded function. The job has completed its work and the event concerns only
/// its end, so the call returns at once.

#include <signal.h>

namespace Grappa {
namespace detail {

/// While an object of this class exists, calls of unloaded functions return at once, except in the
/// constructing thread. Other SIGSEGVs are handled as before. At most one object may exist. Has no
/// effect on processors other than x86-64.
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
