#include "apps/bfs/bfs_roots.hpp"

#include "structures/graph/philox.hpp"

#include <algorithm>

namespace bfs {
namespace {

struct Candidate {
  uint64_t hash;
  VertexID vertex;

  bool operator<(const Candidate& other) const {
    return hash != other.hash ? hash < other.hash : vertex < other.vertex;
  }
};

// This core's candidates: a heap with the largest hash on top, of at most as many as are wanted.
std::vector<Candidate> candidates;

void consider(const Candidate& candidate, int64_t wanted) {
  if (int64_t(candidates.size()) == wanted) {
    if (!(candidate < candidates.front())) return;
    std::pop_heap(candidates.begin(), candidates.end());
    candidates.pop_back();
  }
  candidates.push_back(candidate);
  std::push_heap(candidates.begin(), candidates.end());
}

uint64_t hash_of(VertexID vertex, uint64_t seed) {
  const Grappa::PhiloxCounter counter = {{uint64_t(vertex), 0, 0, 0}};
  const Grappa::PhiloxKey key = {{seed, 0x726f6f7473}};  // "roots": not the key of any edge
  return Grappa::philox4x64(counter, key).word[0];
}

}  // namespace

std::vector<VertexID> choose_roots(GlobalAddress<SearchGraph> g, int64_t count, uint64_t seed) {
  Grappa::forall(g, [count, seed](VertexID id, SearchGraph::Vertex& v) {
    if (v.nadj > 0) consider(Candidate{hash_of(id, seed), id}, count);
  });
  const Grappa::Core here = Grappa::mycore();
  Grappa::on_all_cores([here, count] {
    if (Grappa::mycore() == here) return;
    Grappa::finish([here, count] {
      for (const Candidate& candidate : candidates) {
        Grappa::delegate::call<Grappa::async>(here,
                                              [candidate, count] { consider(candidate, count); });
      }
    });
    candidates.clear();
  });
  std::vector<Candidate> chosen;
  chosen.swap(candidates);
  std::sort(chosen.begin(), chosen.end());
  std::vector<VertexID> roots;
  for (const Candidate& candidate : chosen) roots.push_back(candidate.vertex);
  return roots;
}

}  // namespace bfs
