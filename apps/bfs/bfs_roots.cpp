#include "apps/bfs/bfs_roots.hpp"

#include "apps/bfs/root_order.hpp"

#include <utility>

namespace bfs {
namespace {

// The candidates of this core: at most `count` vertices, the first in the order of hashes.
std::vector<Candidate> candidates;

}  // namespace

std::vector<VertexID> choose_roots(GlobalAddress<SearchGraph> g, int64_t count, uint64_t seed) {
  Grappa::forall(g, [count, seed](VertexID id, SearchGraph::Vertex& v) {
    if (v.nadj > 0) consider(candidate_of(id, seed), count, &candidates);
  });
  const Grappa::Core here = Grappa::mycore();
  Grappa::on_all_cores([here, count] {
    if (Grappa::mycore() == here) return;
    Grappa::finish([here, count] {
      for (const Candidate& candidate : candidates) {
        Grappa::delegate::call<Grappa::async>(
            here, [candidate, count] { consider(candidate, count, &candidates); });
      }
    });
    candidates.clear();
  });
  std::vector<Candidate> chosen;
  chosen.swap(candidates);
  return in_order(std::move(chosen));
}

}  // namespace bfs
