#pragma once

/// Loops over the lists of neighbours of a graph.

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

/// Sends the list of each vertex v to the core plan.core_of(v), which has an EntrySort<Id> with the
/// local index v - plan.first_vertex(core) for v. From: task. Suspends: until done. Messages: 1 for
/// each entry of a list of another core.
template <class Id, class Plan>
void send_lists(GlobalAddress<Csr> csr, const Plan& plan) {
  visit_lists(csr, "gathering", [plan](const Csr& mine, int64_t place) {
    const VertexID v = mine.layout().id(mycore(), place);
    const Core core = plan.core_of(v);
    const Id there = static_cast<Id>(v - plan.first_vertex(core));
    mine.for_each_entry(place, [core, there](VertexID, VertexID neighbour) {
      EntrySort<Id>::send(core, there, neighbour);
    });
  });
}

}}  // namespace Grappa::detail
