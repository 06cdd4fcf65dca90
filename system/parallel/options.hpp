#pragma once

/// Options of parallel/. Flags: system/runtime/flags.cpp.

#include <cstdint>

namespace Grappa { namespace detail {

struct ParallelOptions {
  int64_t loop_threshold = 0;  // iterations that a task runs at a time; 0: see loop_chunk()
  bool steal = true;           // idle cores steal tasks from other cores
  int steal_attempts = 2;  // random victims that an idle core tries before it registers and waits
  int64_t most_tasks_at_once = 512;  // tasks that move at once; about half a message buffer
};

extern ParallelOptions the_parallel_options;

inline ParallelOptions& parallel_options() { return the_parallel_options; }

}}  // namespace Grappa::detail
