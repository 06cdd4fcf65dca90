#pragma once

/// A loop over the lists of neighbours of a graph.

#include "structures/graph/csr/csr.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"

#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

/// Calls visit(mine, place) on every core for each of its vertices, while `step` is shown as
/// progress. `mine` is the part of the core. From: task. Suspends: until done. `visit` may suspend.
template <class Visit>
void visit_lists(GlobalAddress<Csr> csr, const std::string& step, const Visit& visit) {
  Progress progress(step, csr->layout().nv(), "vertices", csr->vertices());
  const Progress::Counter done = progress.counter();
  on_all_cores([csr, visit, done] {
    const Csr& mine = *csr.pointer();
    forall_here(0, mine.vertices(), [&mine, &visit, done](int64_t first, int64_t count) {
      for (int64_t place = first; place < first + count; ++place) visit(mine, place);
      done.add(count);
    });
  });
}

}}  // namespace Grappa::detail
