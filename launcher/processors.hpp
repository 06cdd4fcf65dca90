#pragma once

/// Which processors the cores of a job use.

#include <vector>

#include <sched.h>

namespace launcher {

/// How many processors this process may use.
int allowed_processors();

/// For each core the processors that it is bound to; empty if `cores` is larger than the number of
/// allowed processors. While there are enough physical cores each core gets one, with all its
/// hardware threads; else each gets a hardware thread, the first of each physical core before the
/// second.
std::vector<cpu_set_t> processors_of_cores(int cores);

}  // namespace launcher
