#pragma once

/// The graph, and the interface of the algorithms for connected components. Each algorithm is a
/// file, which opens with an explanation: cc_kahan.cpp (also the tuned form) and cc_afforest.cpp.

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "structures/graph/graph.hpp"

#include <map>
#include <memory>

namespace cc {

using Grappa::GlobalAddress;
using Grappa::VertexID;

struct Mark {
  VertexID label;  // a vertex of the same component; kNoLabel until a traversal claims the vertex
};
constexpr VertexID kNoLabel = -1;

typedef Grappa::Graph<Mark> LabelGraph;
typedef LabelGraph::Vertex Vertex;

/// Counts of cross edges over all cores; all zero for an algorithm that does not count them.
struct MeetingCounts {
  int64_t inserts;  // into the set, in phase 1
  int64_t merged;   // inserts that found an equal one waiting in the proxy of the core
  int64_t known;    // inserts of pairs that the core already knew to be in the set
  int64_t edges;    // edges of the reduced graph: size of the set at the end of phase 1
  int64_t rounds;   // of phase 2

  /// Inserts that were not sent because an equal insert had been sent or was waiting.
  int64_t duplicates_removed() const { return merged + known; }
};

/// An algorithm, with the memory that it needs for one graph. The object is on the core of the task
/// that creates it. Only one run may be active at a time.
class Components {
 public:
  virtual ~Components() = default;

  /// Finds the components. From: task. Suspends.
  virtual void run() = 0;

  /// Copies the labels of the last run to a linear array of nv elements. The label of a component
  /// is one of its vertices. From: task. Suspends. Messages: one for each vertex.
  virtual void copy_labels(GlobalAddress<VertexID> label) = 0;

  /// Counts of the last run.
  virtual MeetingCounts meeting_counts() const { return MeetingCounts(); }
};

/// Messages of a run: those of the traversals, of one insert for each cross edge, and of
/// shiloach_vishkin. At most `concurrent_roots` traversals are in flight, but at least one on each
/// core. From: task. Suspends.
std::unique_ptr<Components> kahan_components(GlobalAddress<LabelGraph> g, Grappa::Combining mode,
                                             int64_t concurrent_roots);

/// The tuned form: the set costs one message for each core and each different pair of roots.
std::unique_ptr<Components> tuned_components(GlobalAddress<LabelGraph> g, int64_t concurrent_roots);

/// Memory: on each core one bit for each slot, and one slot for each of its vertices. Messages of a
/// run: the owner of the seed sends slots / 8 bytes to each other core. In each sweep, of which
/// there are at most a few dozen, each core sends slots / 8 / cores bytes to each other core. For
/// each edge between cores outside of the giant component, a few messages of 8 bytes follow (16 if
/// a slot has 8 bytes). From: task. Suspends.
std::unique_ptr<Components> afforest_components(GlobalAddress<LabelGraph> g);

/// Copies the label of each vertex v to label[v], in a linear array of nv elements.
/// From: task. Suspends. Messages: one for each vertex.
inline void copy_labels(GlobalAddress<LabelGraph> g, GlobalAddress<VertexID> label) {
  Grappa::forall(g, [label](VertexID id, Vertex& v) {
    Grappa::delegate::write<Grappa::async>(label + id, v->label);
  });
}

/// Returns the number of components of each size. `label` is linear, with `nv` elements; all
/// vertices of a component must have the same label. From: task, one at a time. Suspends. Messages:
/// from each core one for each label of its vertices, and one for each different size.
std::map<int64_t, int64_t> component_sizes(GlobalAddress<VertexID> label, int64_t nv);

/// Replaces each label by the vertex of its component with the smallest id. Ids are taken from
/// `original` (linear) if that is not null. The result does not depend on the algorithm or the
/// number of cores. From: task. Suspends. Messages: four for each vertex.
void take_smallest_labels(GlobalAddress<VertexID> label, int64_t nv,
                          GlobalAddress<VertexID> original);

}  // namespace cc
