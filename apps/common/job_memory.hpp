#pragma once

/// The memory that a job can still allocate. A program that needs more rejects its input.

#include <Grappa.hpp>

#include "apps/common/memory.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <string>

namespace apps {

/// The free memory of all nodes of the job, limited by the free memory of the global heap. The heap
/// may be larger than the memory (--heap_bytes reserves address space). From: task. Suspends.
inline double available_over_all() {
  const double machines = Grappa::sum_all_cores(
      [] { return available_bytes() / Grappa::detail::topology().machine_cores; });
  return std::min(machines, double(Grappa::heap_bytes_free()));
}

/// Aborts the job if `bytes` exceeds `available`, before any of the memory is touched. `what` ends
/// with "needs" or "need".
inline void check_memory(const std::string& what, double bytes,
                         double available = available_over_all(), const std::string& advice = "") {
  if (bytes <= available) return;
  Grappa::input_error(what + " " + Grappa::detail::human_bytes(bytes) + "; " +
                      Grappa::detail::human_bytes(available) + " are available" + advice);
}

}  // namespace apps
