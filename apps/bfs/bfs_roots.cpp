#include "apps/bfs/root_order.hpp"
#include "apps/bfs/search.hpp"

namespace bfs {
namespace {

Candidates candidates;  // of this core

}  // namespace

std::vector<VertexID> choose_roots(GlobalAddress<SearchGraph> g, int64_t count, uint64_t seed) {
  Grappa::forall(g, [count, seed](VertexID id, SearchGraph::Vertex& v) {
    if (v.nadj > 0) consider(id, seed, count, &candidates);
  });
  const Grappa::Core home = Grappa::mycore();
  Grappa::on_all_cores([home, count, seed] {
    if (Grappa::mycore() == home) return;
    for (const auto& candidate : candidates) {
      const VertexID v = candidate.second;
      Grappa::delegate::call<Grappa::async>(
          home, [v, seed, count] { consider(v, seed, count, &candidates); });
    }
    candidates.clear();
  });
  std::vector<VertexID> roots;
  for (const auto& candidate : candidates) roots.push_back(candidate.second);
  candidates.clear();
  return roots;
}

}  // namespace bfs
