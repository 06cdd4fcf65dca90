#pragma once

/// Stacks for reports: of the caller, and of workers that are suspended.
///
/// Return addresses are found by libunwind, from the registers that a switch has saved; names and
/// lines by backward-cpp in the debug information, as far as there is any. Slow, and not for signal
/// handlers that must not fail: reading debug information takes memory and locks.

#include "system/tasking/worker.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {

/// Return addresses, innermost first.
typedef std::vector<uintptr_t> StackTrace;

/// Frames that a report shows of a stack at most.
constexpr size_t kDeepestStack = 64;

/// The caller's stack, without its innermost `skip` frames; 0 begins with the caller.
StackTrace stack_trace_here(size_t skip);

/// Where a suspended worker waits. Empty if the layout of its registers is not known.
StackTrace stack_trace_of(const Worker& worker);

/// One line for each call, innermost first: function, file and line. The runtime's own calls that
/// every worker has, above the code of a task or message and below it, are left out.
std::string symbolised(const StackTrace& stack);

}  // namespace Grappa
