#include "system/failure/failure_report.hpp"

#include "system/tasking/switch.hpp"

#include <cstring>
#include <map>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#define BACKWARD_HAS_DW 1
#include <backward.hpp>

namespace Grappa::detail {
namespace {

/// A saved context contains the address of the next instruction, not a return address of a call.
size_t walk(unw_context_t* context, size_t skip, uintptr_t* addresses, size_t most) {
  unw_cursor_t cursor;
  if (unw_init_local2(&cursor, context, UNW_INIT_SIGNAL_FRAME) != 0) return 0;
  size_t found = 0;
  do {
    unw_word_t address = 0;
    if (unw_get_reg(&cursor, UNW_REG_IP, &address) != 0 || address == 0) break;
    if (skip > 0) {
      --skip;
    } else {
      addresses[found++] = address;
    }
  } while (found < most && unw_step(&cursor) > 0);
  return found;
}

std::vector<StackLine> resolve(uintptr_t return_address) {
  static backward::TraceResolver* const resolver = new backward::TraceResolver;
  // The call instruction precedes the return address.
  const backward::Trace trace(reinterpret_cast<void*>(return_address - 1), 0);
  const backward::ResolvedTrace resolved = resolver->resolve(backward::ResolvedTrace(trace));
  // The resolver pairs an inlined function with the location of its call in the outer function.
  std::vector<StackLine> lines;
  backward::ResolvedTrace::SourceLoc place = resolved.source;
  for (const auto& inlined : resolved.inliners) {
    lines.push_back(StackLine{inlined.function, place.filename, place.line});
    place = inlined;
  }
  lines.push_back(StackLine{resolved.object_function, place.filename, place.line});
  return lines;
}

}  // namespace

StackTrace stack_trace_of(const Worker& worker) {
  SavedRegisters saved;
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
  StackTrace stack(kDeepestStack);
  stack.resize(walk(&context, 0, stack.data(), stack.size()));
  return stack;
#else
  return StackTrace();
#endif
}

size_t walk_interrupted(const void* interrupted, uintptr_t* addresses, size_t most) {
  unw_context_t context;
#if defined(__x86_64__)
  if (interrupted != nullptr) {
    std::memcpy(&context, interrupted, sizeof context);
    auto& registers = context.uc_mcontext.gregs;
    if (registers[REG_RIP] == 0) {  // a call of a null pointer: continue with the caller
      registers[REG_RIP] = *reinterpret_cast<const greg_t*>(registers[REG_RSP]);
      registers[REG_RSP] += static_cast<greg_t>(sizeof(greg_t));
    }
    return walk(&context, 0, addresses, most);
  }
#else
  (void)interrupted;  // the frames of the caller include those of the handler
#endif
  unw_getcontext(&context);
  return walk(&context, 1, addresses, most);
}

const std::vector<StackLine>& symbolised_address(uintptr_t return_address) {
  static std::map<uintptr_t, std::vector<StackLine>> known;
  const auto found = known.find(return_address);
  return found != known.end() ? found->second : known[return_address] = resolve(return_address);
}

bool is_everywhere(const StackLine& line) {
  for (const char* folder : {"system/tasking/", "system/base/", "system/message/",
                             "system/failure/", "system/report/", "system/runtime/"}) {
    if (line.file.find(folder) != std::string::npos) return true;
  }
  if (!line.file.empty()) return false;
  if (line.function.empty()) return true;
  for (const char* name :
       {"grappa_switch", "make_fcontext", "Grappa::detail::Scheduler::",
        "Grappa::detail::Closure::", "Grappa::detail::Inbox::", "Grappa::detail::Aggregator::",
        "Grappa::detail::make_room", "Grappa::detail::first_instruction"}) {
    if (line.function.find(name) != std::string::npos) return true;
  }
  return false;
}

std::string to_string(const StackLine& line) {
  constexpr size_t kLongest = 160;  // names of closures and templates may fill a page
  std::string function = line.function.empty() ? "?" : line.function.substr(0, kLongest);
  if (line.function.size() > kLongest) function += "...";
  return line.file.empty() ? function
                           : function + "  at " + line.file + ":" + std::to_string(line.number);
}

std::string symbolised(const StackTrace& stack) {
  std::string text;
  for (const uintptr_t address : stack) {
    for (const StackLine& line : symbolised_address(address)) {
      if (!is_everywhere(line)) text += "    " + to_string(line) + "\n";
    }
  }
  return text;
}

}  // namespace Grappa::detail
