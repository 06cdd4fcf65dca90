#pragma once

/// What this host must allow a job.

namespace launcher {

/// Raises soft limits that are too low for a job of so many cores, and refuses if a hard limit is.
void prepare_limits(int cores);

/// The number of processes that the kernel has killed because memory was short; -1 if unknown.
long killed_for_memory();

}  // namespace launcher
