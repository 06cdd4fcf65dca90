#include "apps/common/verifier_memory.hpp"

#include "apps/common/memory.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/input_error.hpp"

namespace apps {

void check_verifier_memory(const InputEdges& edges, double bytes_per_vertex) {
  const double needed = 32.0 * double(edges.nedge()) + (8 + bytes_per_vertex) * double(edges.nv());
  const double available = available_bytes();
  if (needed <= available) return;
  Grappa::input_error("--verify needs " + Grappa::detail::human_bytes(needed) +
                      " on one core; its node has " + Grappa::detail::human_bytes(available) +
                      "; give --noverify");
}

}  // namespace apps
