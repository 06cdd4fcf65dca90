/// The closure check of checked mode: finds addresses of this core in a closure that is sent.
///
/// The check compares every aligned word of the closure with the used parts of the stacks (of this
/// core's workers and of the thread), the heap of malloc, and malloc's mappings. Addresses that are
/// the same on all cores (parallel/on_all_cores.hpp) and memory that a locale shares are legal.

#include "system/base/checked_mode.hpp"
#include "system/base/traits.hpp"
#include "system/failure/failure.hpp"
#include "system/message/closure_check.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/tasking/scheduler.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace Grappa::detail {
namespace {

/// Returns the kind of private memory at `word`, or null if other cores may use this address.
const char* memory_at(uintptr_t word) {
  const void* const address = reinterpret_cast<const void*>(word);
  // The cheap checks come first: few words are in the range of addresses.
  if (!may_be_private(word) || at_same_address_everywhere(address)) return nullptr;
  switch (scheduler().stack_use(address)) {
    case Scheduler::StackUse::Unused: return nullptr;
    case Scheduler::StackUse::InUse: return "a stack";
    case Scheduler::StackUse::NoStack: break;
  }
  return is_private_memory(word) ? "the heap, or memory mapped by this process" : nullptr;
}

[[noreturn]] void report_capture(const ClosureType& type, size_t offset, uintptr_t word,
                                 const char* memory) {
  size_t length = 0;
  const char* const name = type_name_in(type.signature, &length);
  char address[24];
  std::snprintf(address, sizeof address, "%#zx", static_cast<size_t>(word));
  const std::string core = std::to_string(mycore());
  fail_in("the closure " + std::string(name, length) + ", at offset " + std::to_string(offset) +
              ", captures a reference or pointer to memory of core " + core +
              ": capture values and GlobalAddresses (" + address + " points into " + memory +
              "; if this word is a number, or only core " + core +
              " uses it, pass Grappa::unchecked(closure))",
          type.code);
}

void scan(const void* closure, size_t bytes, const ClosureType& type) {
  const char* const begin = static_cast<const char*>(closure);
  for (size_t offset = 0; offset + sizeof(uintptr_t) <= bytes; offset += sizeof(uintptr_t)) {
    uintptr_t word;
    std::memcpy(&word, begin + offset, sizeof word);
    const char* const memory = memory_at(word);
    if (memory != nullptr) report_capture(type, offset, word, memory);
  }
}

}  // namespace

void start_closure_checks() {
  if (checked_mode()) the_closure_scan = scan;
}

}  // namespace Grappa::detail
