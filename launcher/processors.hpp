#pragma once

/// Binding of the cores of a job to processors.

#include <vector>

#include <sched.h>

namespace launcher {

int allowed_processors();

/// Returns the processors to which each core is bound, or an empty vector if `cores` exceeds the
/// number of allowed processors. If there are enough physical cores, each core gets all hardware
/// threads of one physical core. Otherwise each core gets one hardware thread: the first threads of
/// all physical cores are used before any second thread.
std::vector<cpu_set_t> processors_of_cores(int cores);

}  // namespace launcher
