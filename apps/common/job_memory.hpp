#pragma once

/// The memory that a job can still take: a program that needs more refuses its input.

#include <Grappa.hpp>

#include "apps/common/memory.hpp"

#include <algorithm>

namespace apps {

/// Over all machines of the job: what is free of their memory, and of the global heap, which may be
/// larger (--heap_bytes is address space). From: task. Suspends.
inline double available_over_all() {
  const double machines = Grappa::sum_all_cores(
      [] { return available_bytes() / Grappa::detail::topology().machine_cores; });
  return std::min(machines, double(Grappa::heap_bytes_free()));
}

}  // namespace apps
