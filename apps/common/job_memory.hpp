#pragma once

/// The memory that a job can still allocate. A program that needs more rejects its input.

#include <Grappa.hpp>

#include "apps/common/memory.hpp"

#include <algorithm>

namespace apps {

/// The free memory of all nodes of the job, limited by the free memory of the global heap. The heap
/// may be larger than the memory (--heap_bytes reserves address space). From: task. Suspends.
inline double available_over_all() {
  const double machines = Grappa::sum_all_cores(
      [] { return available_bytes() / Grappa::detail::topology().machine_cores; });
  return std::min(machines, double(Grappa::heap_bytes_free()));
}

}  // namespace apps
