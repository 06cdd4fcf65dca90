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

/// On this core: the labels of the neighbours of the vertex that a loop visits. Its body never
/// suspends.
template <class Label>
struct Found {
  static std::vector<Label> labels;
};
template <class Label>
std::vector<Label> Found<Label>::labels;

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
  changes.reset();
  Grappa::forall(g, [g, labels](Vertex& v) {
    if (v.nadj == 0) return;
    std::vector<Label>& found = Found<Label>::labels;
    found.clear();
    Grappa::serial_for(adj(g, v),
                       [labels](const Edge& e) { Found<Label>::labels.push_back((*labels)[e]); });
    const Label label = most_frequent(&found);
    changes += static_cast<Grappa::VertexID>(label) != v->label;
    v->label = static_cast<Grappa::VertexID>(label);
    labels->set(v, label);
  });
  return changes;
}

}  // namespace

template <class Label>
int64_t detail::propagate(GlobalAddress<CommunityGraph> g, int64_t max_iterations) {
  const auto labels = Mirror<Label>::create(g);
  Grappa::forall(g, [g, labels](Vertex& v) {
    GRAPPA_CHECK(0 <= v->label && v->label < g->nv)
        << "propagate_labels: invalid label " << v->label << ", expected 0 to " << g->nv - 1;
    labels->set(v, static_cast<Label>(v->label));
  });
  int64_t iterations = 0, changes = 1;
  while (changes > 0 && iterations < max_iterations) {
    labels->refresh();
    changes = iterate(g, labels);
    ++iterations;
  }
  labels->destroy();
  Grappa::on_all_cores([] { std::vector<Label>().swap(Found<Label>::labels); });
  return iterations;
}
template int64_t detail::propagate<uint32_t>(GlobalAddress<CommunityGraph>, int64_t);
template int64_t detail::propagate<uint64_t>(GlobalAddress<CommunityGraph>, int64_t);

int64_t propagate_labels(GlobalAddress<CommunityGraph> g, int64_t max_iterations) {
  GRAPPA_CHECK(!g->directed) << "propagate_labels: the graph is directed, so its lists have no "
                                "in-neighbours: create it undirected";
  return g->nv < int64_t(1) << 32 ? detail::propagate<uint32_t>(g, max_iterations)
                                  : detail::propagate<uint64_t>(g, max_iterations);
}

}  // namespace communities
