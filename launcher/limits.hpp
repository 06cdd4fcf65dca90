#pragma once

namespace launcher {

/// Raises soft limits that are too low for a job, and refuses the job if a hard limit is too low.
void prepare_limits(int cores);

/// Returns how many processes the kernel's out-of-memory killer has killed; -1 if unknown.
long killed_for_memory();

}  // namespace launcher
