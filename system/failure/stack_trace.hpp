#pragma once

/// Stack traces for reports: of failed code, and of suspended workers.
///
/// libunwind finds return addresses, from the registers that a switch or a signal has saved.
/// backward-cpp finds names and lines in the debug information, if there is any. Symbolising is
/// slow and must not run in signal handlers: reading debug information takes memory and locks.

#include "system/tasking/worker.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// Return addresses, innermost first.
typedef std::vector<uintptr_t> StackTrace;

/// The maximum number of frames that a report shows.
constexpr size_t kDeepestStack = 64;

/// The stack of a suspended worker. Empty if the layout of its saved registers is not known.
StackTrace stack_trace_of(const Worker& worker);

/// Writes at most `most` return addresses of interrupted code to `addresses`, innermost first, and
/// returns their number. `interrupted` is the third argument of the signal handler; if it is null,
/// the stack is the caller's. Allocates no memory. May fault if the program has damaged the stack.
size_t walk_interrupted(const void* interrupted, uintptr_t* addresses, size_t most);

/// One call of a stack. If calls were inlined, one address stands for several calls.
struct StackLine {
  std::string function;  // empty if there is no symbol
  std::string file;      // empty if there is no debug information
  unsigned number;       // of the line in the file
};

/// The calls that a return address stands for, innermost first. For an instruction that has not
/// been executed, for example one that has faulted, pass the address of its second byte.
const std::vector<StackLine>& symbolised_address(uintptr_t return_address);

/// True for the runtime's calls that every worker has on its stack, around a task or a message.
bool is_everywhere(const StackLine& line);

/// The end of a line of a stack: the shortened function name, and its file and line if known.
std::string to_string(const StackLine& line);

/// One line for each call, innermost first: function, file and line. Omits the runtime's calls that
/// every worker has.
std::string symbolised(const StackTrace& stack);

}  // namespace detail
}  // namespace Grappa
