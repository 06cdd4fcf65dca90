#include "apps/bfs/root_order.hpp"
#include "apps/bfs/search.hpp"

namespace bfs {

static Candidates candidates;  // the candidates of this core

std::vector<VertexID> choose_roots(GlobalAddress<SearchGraph> g, int64_t count, uint64_t seed) {
  Grappa::forall(g, [count, seed](VertexID id, SearchGraph::Vertex& v) {
    if (v.nadj > 0) consider(id, seed, count, &candidates);
  });
  Candidates all;
  const GlobalAddress<Candidates> kept = Grappa::make_global(&all);
  Grappa::on_all_cores([kept, count, seed] {
    for (const auto& each : candidates) {
      const VertexID v = each.second;
      Grappa::delegate::call<Grappa::async>(
          kept, [v, seed, count](Candidates& best) { consider(v, seed, count, &best); });
    }
    candidates.clear();
  });
  std::vector<VertexID> roots;
  for (const auto& each : all) roots.push_back(each.second);
  return roots;
}

}  // namespace bfs
