#pragma once

/// Knobs of global/. The runtime defines a flag for those that a user may want to turn.

#include <cstddef>

namespace Grappa {
namespace detail {

struct GlobalOptions {
  /// Bytes of the global heap over all cores. 0: the memory of each machine, less an eighth for
  /// everything else, divided by its cores of the job; the machine with the least for a core
  /// decides. It is address space: pages are taken when touched.
  size_t heap_bytes = 0;
};

/// What each core reserves for the heap: blocks of the same number on all cores.
/// Called by all cores together.
size_t heap_bytes_per_core(const GlobalOptions& options);

}  // namespace detail
}  // namespace Grappa
