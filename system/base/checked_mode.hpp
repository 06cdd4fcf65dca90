#pragma once

/// Checked mode detects closures that carry addresses of their core to another core
/// (message/closure_check.hpp), and invalid uses of global addresses, graphs and proxies
/// (global/address.hpp, Graph, FlatCombiner). GRAPPA_CHECK=0 disables checked mode, and any other
/// value enables it. By default it is enabled in debug builds of the library only.
///
/// The heap of malloc follows the program, at addresses below 2^32. Such addresses look like
/// captured integers. Before main, checked mode therefore places an inaccessible page after the
/// heap: the heap cannot grow, and malloc gets further memory from mmap.

#include <cstdint>

namespace Grappa { namespace detail {

extern bool the_checked_mode;  // set before main, and constant from then on

inline bool checked_mode() { return the_checked_mode; }

/// Returns true if `address` is in the address range of private memory in checked mode.
inline bool may_be_private(uintptr_t address) {
  return address >= uintptr_t{1} << 32 && address < uintptr_t{1} << 47;
}

/// Returns true if `address` is in private, writable memory above 2^32: from malloc, mmap or a
/// stack. Under sanitizers, always returns false. Allocates no memory and needs little stack.
bool is_private_memory(uintptr_t address);

}}  // namespace Grappa::detail
