#pragma once

/// Stack traces of failed code and of suspended workers, and the text of a failure report. A child
/// process symbolises the stack of a report, because the failure may have damaged or blocked the
/// memory and the locks that this takes. If the child crashes or hangs, the report shows addresses,
/// and those names that can be found in the program's symbols without allocation.

#include "system/tasking/worker.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa { namespace detail {

typedef std::vector<uintptr_t> StackTrace;  // return addresses, innermost first

constexpr size_t kDeepestStack = 64;  // the maximum number of frames that a report shows

/// Returns the stack of a suspended worker. Empty if the layout of its saved registers is unknown.
StackTrace stack_trace_of(const Worker& worker);

/// Writes at most `most` return addresses to `addresses` and returns their number. `interrupted` is
/// the third argument of a signal handler, or null for the stack of the caller. Allocates no
/// memory. May fault if the program has damaged the stack.
size_t walk_interrupted(const void* interrupted, uintptr_t* addresses, size_t most);

struct StackLine {
  std::string function;  // empty if there is no symbol
  std::string file;      // empty if there is no debug information
  unsigned number;       // of the line in the file
};

/// Returns the calls at a return address, innermost first. If calls were inlined, there are
/// several. For an instruction that has faulted, pass the address of its second byte.
const std::vector<StackLine>& symbolised_address(uintptr_t return_address);

/// Returns true for the runtime's calls around a task or a message, which every stack has.
bool is_everywhere(const StackLine& line);

/// Returns the shortened function name, and its file and line if known, for a line of a stack.
std::string to_string(const StackLine& line);

/// Returns one line per call, innermost first, without calls that is_everywhere() accepts.
std::string symbolised(const StackTrace& stack);

/// The text of a report. It needs no allocation and no locks, so signal handlers can compose it.
class FailureReport {
 public:
  void begin();

  /// Appends text like printf. Text that does not fit is cut off. glibc's snprintf is safe in
  /// signal handlers with these formats: it takes no lock and allocates no memory.
  void add(const char* format, ...) __attribute__((format(printf, 2, 3)));

  /// Appends the file and line of a function, if they are found within `most_seconds`.
  void add_place(const void* code, unsigned most_seconds);

  void add_running_worker();                 // adds nothing if no worker runs a body
  void find_stack(const void* interrupted);  // like walk_interrupted()

  /// Appends the frames of the stack with functions and lines, innermost first. Omits the calls
  /// between a check and its report, and the outermost calls that every worker has. Takes little
  /// longer than `most_seconds`. Must be called only once.
  void add_stack(unsigned most_seconds);

  /// Appends the addresses of the remaining frames if a fault occurred in or before add_stack().
  void add_rest_of_stack() { add_frames(false); }

  void write();  // prints the text since the last write on stderr

 private:
  const void* place(size_t k) const { return reinterpret_cast<const void*>(addresses_[k]); }
  uintptr_t return_address(size_t k) const;
  std::string lines(size_t most_bytes) const;
  void add_frames(bool named);

  /// Appends the string that `make()` returns in a child process. Returns false, and appends
  /// nothing, if the string is not complete after `most_seconds`.
  template <class Make>
  bool add_from_child(unsigned most_seconds, Make make);

  size_t length_ = 0;
  size_t written_ = 0;
  uintptr_t addresses_[kDeepestStack];
  size_t count_ = 0;
  size_t next_ = 0;  // the first frame that is not in the text
  bool interrupted_ = false;
  char text_[64 * 1024];
};

}}  // namespace Grappa::detail
