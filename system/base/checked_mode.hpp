#pragma once

/// Whether this process runs in checked mode, which finds closures that travel with addresses of
/// their core (message/closure_check.hpp), and wrong uses of global addresses, graphs and proxies
/// (global/live_allocations.hpp, Graph, FlatCombiner).
///
/// GRAPPA_CHECK=0 switches it off, any other value on. If the variable is unset or empty, debug
/// builds of the library check and others do not.
///
/// In checked mode the heap of malloc is moved before main. It usually begins after the program, at
/// addresses below 2^32 that look like captured numbers. An inaccessible page mapped after it stops
/// its growth, so malloc gets further memory from mmap, at addresses above 2^32.

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// Constant from before main on.
extern bool the_checked_mode;

inline bool checked_mode() { return the_checked_mode; }

/// True in the address range of private memory, in checked mode.
inline bool may_be_private(uintptr_t address) {
  return address >= uintptr_t{1} << 32 && address < uintptr_t{1} << 47;
}

/// True if `address` lies in private, writable memory above 2^32: what malloc, mmap and the
/// thread's stack give to this process alone. Memory shared with others and code are not. Takes no
/// memory and little stack. Always false under AddressSanitizer and ThreadSanitizer.
bool is_private_memory(uintptr_t address);

}  // namespace detail
}  // namespace Grappa
