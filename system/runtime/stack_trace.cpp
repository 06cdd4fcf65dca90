#include "system/runtime/stack_trace.hpp"

#include "system/tasking/switch.hpp"

#include <cstring>
#include <map>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#define BACKWARD_HAS_DW 1
#include <backward.hpp>

namespace Grappa {
namespace {

/// A saved context is at an instruction that is to be executed next, not behind a call.
StackTrace walk(unw_context_t* context, size_t skip) {
  StackTrace stack;
  unw_cursor_t cursor;
  if (unw_init_local2(&cursor, context, UNW_INIT_SIGNAL_FRAME) != 0) return stack;
  do {
    unw_word_t address = 0;
    if (unw_get_reg(&cursor, UNW_REG_IP, &address) != 0 || address == 0) break;
    if (skip > 0) {
      --skip;
    } else {
      stack.push_back(address);
    }
  } while (stack.size() < kDeepestStack && unw_step(&cursor) > 0);
  return stack;
}

/// A line of a stack. One address stands for several where calls were inlined.
struct Line {
  std::string function;
  std::string file;  // empty if there is no debug information
  unsigned number;
};

/// True for what every worker has on its stack, above the code of a task or message and below it.
bool is_everywhere(const Line& line) {
  for (const char* folder :
       {"system/tasking/", "system/base/", "system/message/", "system/runtime/"}) {
    if (line.file.find(folder) != std::string::npos) return true;
  }
  if (!line.file.empty()) return false;
  if (line.function.empty()) return true;
  for (const char* name :
       {"grappa_switch", "make_fcontext", "Grappa::Scheduler::", "Grappa::Closure::",
        "Grappa::Inbox::", "Grappa::Aggregator::", "Grappa::detail::first_instruction"}) {
    if (line.function.find(name) != std::string::npos) return true;
  }
  return false;
}

/// The lines of one address, innermost first.
const std::vector<Line>& resolve(uintptr_t address) {
  static backward::TraceResolver* const resolver = new backward::TraceResolver;
  static std::map<uintptr_t, std::vector<Line>> known;
  const auto found = known.find(address);
  if (found != known.end()) return found->second;
  // The call is before the return address.
  const backward::Trace trace(reinterpret_cast<void*>(address - 1), 0);
  const backward::ResolvedTrace resolved = resolver->resolve(backward::ResolvedTrace(trace));
  // Each inlined function is said with the place that called it: where the next one outwards is.
  std::vector<Line> lines;
  backward::ResolvedTrace::SourceLoc place = resolved.source;
  for (const auto& inlined : resolved.inliners) {
    lines.push_back(Line{inlined.function, place.filename, place.line});
    place = inlined;
  }
  lines.push_back(Line{resolved.object_function, place.filename, place.line});
  return known[address] = lines;
}

/// Names of closures and templates may fill a page.
std::string shortened(const std::string& name) {
  constexpr size_t kLongest = 160;
  return name.size() <= kLongest ? name : name.substr(0, kLongest) + "...";
}

}  // namespace

StackTrace stack_trace_here(size_t skip) {
  unw_context_t context;
  unw_getcontext(&context);
  return walk(&context, skip + 1);
}

StackTrace stack_trace_of(const Worker& worker) {
  detail::SavedRegisters saved;
  if (!detail::registers_of(worker.saved, &saved)) return StackTrace();
#if defined(__x86_64__)
  unw_context_t context;
  std::memset(&context, 0, sizeof context);
  auto& registers = context.uc_mcontext.gregs;
  registers[REG_RIP] = static_cast<greg_t>(saved.instruction);
  registers[REG_RSP] = static_cast<greg_t>(saved.stack);
  registers[REG_RBP] = static_cast<greg_t>(saved.frame);
  registers[REG_RBX] = static_cast<greg_t>(saved.rbx);
  registers[REG_R12] = static_cast<greg_t>(saved.r12);
  registers[REG_R13] = static_cast<greg_t>(saved.r13);
  registers[REG_R14] = static_cast<greg_t>(saved.r14);
  registers[REG_R15] = static_cast<greg_t>(saved.r15);
  return walk(&context, 0);
#else
  return StackTrace();
#endif
}

std::string symbolised(const StackTrace& stack) {
  std::string text;
  for (const uintptr_t address : stack) {
    for (const Line& line : resolve(address)) {
      if (is_everywhere(line)) continue;
      text += "    " + shortened(line.function);
      if (!line.file.empty()) text += "  at " + line.file + ":" + std::to_string(line.number);
      text += "\n";
    }
  }
  return text;
}

}  // namespace Grappa
