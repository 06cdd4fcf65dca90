#pragma once

/// The frames of a core that has failed.

namespace Grappa {

/// Calls `visit(argument, place, name)` for each frame above the one that has failed, that one
/// included: from the signal handler that runs on top of it, if there is one, without what lies
/// between a check and its report. Looks for names, which may take long, and may fault where the
/// program has damaged memory.
void for_each_failed_frame(void (*visit)(void* argument, void* place, const char* name),
                           void* argument);

/// To be called once while all is well, so that nothing has to be loaded later.
void prepare_failed_frames();

}  // namespace Grappa
