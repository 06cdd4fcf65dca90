#include "apps/communities/communities.hpp"

#include "structures/graph/mirror.hpp"
#include "system/base/check.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace communities {
namespace {

using Grappa::GlobalAddress;
using Grappa::Mirror;
typedef CommunityGraph::Vertex Vertex;
typedef CommunityGraph::Edge Edge;

/// Returns the most frequent label, or the smallest such label. Sorts the labels.
template <class Label>
Label most_frequent(std::vector<Label>* labels) {
  std::sort(labels->begin(), labels->end());
  Label most = labels->front();
  ptrdiff_t largest = 0;
  for (auto first = labels->begin(); first != labels->end();) {
    const Label label = *first;
    const auto last = std::find_if(first, labels->end(), [label](Label l) { return l != label; });
    if (last - first > largest) {
      largest = last - first;
      most = label;
    }
    first = last;
  }
  return most;
}

/// Returns the number of labels that changed.
template <class Label>
int64_t iterate(GlobalAddress<CommunityGraph> g, GlobalAddress<Mirror<Label>> labels) {
  static Grappa::Reducer<int64_t, Grappa::ReducerType::Add> changes;
  static std::vector<Label> found;  // of the vertex that this core visits: the body never suspends
  changes.reset();
  Grappa::forall(g, [g, labels](Vertex& v) {
    if (v.nadj == 0) return;
    found.clear();
    Grappa::serial_for(adj(g, v), [labels](const Edge& e) { found.push_back((*labels)[e]); });
    const Label label = most_frequent(&found);
    changes += static_cast<Grappa::VertexID>(label) != v->label;
    v->label = static_cast<Grappa::VertexID>(label);
    labels->set(v, label);
  });
  return changes;
}

template <class Label>
int64_t propagate(GlobalAddress<CommunityGraph> g, int64_t max_iterations) {
  const auto labels = Mirror<Label>::create(g);
  Grappa::forall(g, [labels](Vertex& v) { labels->set(v, static_cast<Label>(v->label)); });
  int64_t iterations = 0, changes = 1;
  while (changes > 0 && iterations < max_iterations) {
    labels->refresh();
    changes = iterate(g, labels);
    ++iterations;
  }
  labels->destroy();
  return iterations;
}

}  // namespace

int64_t propagate_labels(GlobalAddress<CommunityGraph> g, int64_t max_iterations) {
  GRAPPA_CHECK(!g->directed)
      << "the communities of a directed graph: lists have out-neighbours only";
  return g->nv < int64_t(1) << 32 ? propagate<uint32_t>(g, max_iterations)
                                  : propagate<uint64_t>(g, max_iterations);
}

}  // namespace communities
