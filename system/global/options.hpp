#pragma once

/// Options of the global module. The runtime defines a flag for each option that users may change.

#include <cstddef>

namespace Grappa { namespace detail {

struct GlobalOptions {
  /// Bytes of address space of the global heap over all cores. 0: 7/8 of the memory of each node is
  /// divided by the job's cores on the node, and each core reserves the minimum over all nodes.
  size_t heap_bytes = 0;
};

/// The bytes that each core reserves for the heap. The value is equal on all cores. Collective.
size_t heap_bytes_per_core(const GlobalOptions& options);

}}  // namespace Grappa::detail
