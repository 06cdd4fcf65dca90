#pragma once

/// Stacks for reports: of the caller, and of workers that are suspended.
///
/// Return addresses are found by libunwind, from the registers that a switch or a signal has saved;
/// names and lines by backward-cpp in the debug information, as far as there is any. To symbolise
/// is slow, and not for signal handlers: reading debug information takes memory and locks.

#include "system/tasking/worker.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// Return addresses, innermost first.
typedef std::vector<uintptr_t> StackTrace;

/// Frames that a report shows of a stack at most.
constexpr size_t kDeepestStack = 64;

/// The caller's stack, without its innermost `skip` frames; 0 begins with the caller.
StackTrace stack_trace_here(size_t skip);

/// Where a suspended worker waits. Empty if the layout of its registers is not known.
StackTrace stack_trace_of(const Worker& worker);

/// Writes the stack that a signal handler runs on top of to `addresses`, innermost first, at most
/// `most`, and returns how many. `interrupted` is the handler's third argument; if it is null, the
/// stack is the caller's. Takes no memory; may fault where the program has damaged the stack.
size_t walk_interrupted(const void* interrupted, uintptr_t* addresses, size_t most);

/// One call of a stack. Where calls were inlined, one address stands for several.
struct StackLine {
  std::string function;  // empty if there is no symbol
  std::string file;      // empty if there is no debug information
  unsigned number;       // of the line in the file
};

/// The calls that a return address stands for, innermost first. Of an instruction that has not been
/// executed, as one that has faulted, pass the address of the byte behind its first.
const std::vector<StackLine>& symbolised_address(uintptr_t return_address);

/// True for what every worker has on its stack, above the code of a task or message and below it.
bool is_everywhere(const StackLine& line);

/// The end of a line of a stack: the function, shortened, and its file and line if they are known.
std::string to_string(const StackLine& line);

/// One line for each call, innermost first: function, file and line. The runtime's own calls that
/// every worker has are left out.
std::string symbolised(const StackTrace& stack);

}  // namespace detail
}  // namespace Grappa
