#include "apps/sssp/sssp.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace sssp {
namespace {

typedef WeightedGraph::Vertex Vertex;
typedef WeightedGraph::Edge Edge;

struct Entry {
  Vertex* vertex;
  int64_t distance;  // distance at insertion; if the vertex is now closer, the entry is ignored
};

int64_t width;
std::map<int64_t, std::vector<Entry>> buckets;  // vertices of this core, by distance / width
Grappa::Reducer<int64_t, Grappa::ReducerType::Add> wrong;

void relax(Vertex& v, int64_t distance) {
  if (distance >= v->distance) return;
  v->distance = distance;
  buckets[distance / width].push_back(Entry{&v, distance});
}

void relax_edges(GlobalAddress<WeightedGraph> g, const Entry& from) {
  if ((*from.vertex)->distance != from.distance) return;
  Grappa::serial_for(adj(g, *from.vertex), [&from](Edge& e) {
    const int64_t distance = from.distance + e.data;
    Grappa::delegate::call<Grappa::async>(e.ga, [distance](Vertex& w) { relax(w, distance); });
  });
}

int64_t first_bucket() {  // returns the minimum over all cores
  const int64_t mine = buckets.empty() ? kUnreached : buckets.begin()->first;
  return Grappa::allreduce<int64_t, Grappa::collective_min>(mine);
}

}  // namespace

void find_distances(GlobalAddress<WeightedGraph> g, VertexID root, int64_t delta) {
  Grappa::forall(g, [](Vertex& v) { v.data = State{kUnreached, kUnreached}; });
  Grappa::on_all_cores([delta] { width = delta; });
  Grappa::delegate::call(g->vs + root, [](Vertex& v) { relax(v, 0); });
  Grappa::on_all_cores([g] {
    for (int64_t first; (first = first_bucket()) != kUnreached; Grappa::barrier()) {
      const std::vector<Entry> bucket = std::move(buckets[first]);
      buckets.erase(first);
      Grappa::forall_here(0, int64_t(bucket.size()),
                          [g, &bucket](int64_t i) { relax_edges(g, bucket[size_t(i)]); });
    }
  });
}

int64_t count_wrong(GlobalAddress<WeightedGraph> g, VertexID root) {
  Grappa::forall(g, [](Vertex& v, Edge& e) {
    if (v->distance == kUnreached) return;
    const int64_t distance = v->distance + e.data;
    Grappa::delegate::call<Grappa::async>(
        e.ga, [distance](Vertex& w) { w->nearest = std::min(w->nearest, distance); });
  });
  wrong = 0;
  Grappa::forall(
      g, [root](VertexID id, Vertex& v) { wrong += v->distance != (id == root ? 0 : v->nearest); });
  return wrong;
}

}  // namespace sssp
