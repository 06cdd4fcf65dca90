#include "apps/common/roots.hpp"

#include "apps/common/root_order.hpp"

namespace apps {

using Grappa::GlobalAddress;
using Grappa::VertexID;

std::vector<VertexID> choose_roots(GlobalAddress<Grappa::detail::Csr> lists, int64_t count,
                                   uint64_t seed) {
  Candidates all;
  const GlobalAddress<Candidates> kept = Grappa::make_global(&all);
  Grappa::on_all_cores([lists, kept, count, seed] {
    Candidates candidates;
    for (int64_t place = 0; place < lists->vertices(); ++place) {
      if (lists->size(place) == 0) continue;
      consider(lists->layout().id(Grappa::mycore(), place), seed, count, &candidates);
    }
    for (const auto& each : candidates) {
      const VertexID v = each.second;
      Grappa::delegate::call<Grappa::async>(
          kept, [v, seed, count](Candidates& best) { consider(v, seed, count, &best); });
    }
  });
  std::vector<VertexID> roots;
  for (const auto& each : all) roots.push_back(each.second);
  return roots;
}

}  // namespace apps
