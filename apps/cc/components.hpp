#pragma once

/// The graph, the interface of the algorithms for connected components, and the reduced graph.

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "structures/global_set.hpp"
#include "structures/graph/graph.hpp"

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

/// Counts of cross edges over all cores. If an algorithm does not count them, all counts are zero.
struct MeetingCounts {
  int64_t inserts;  // into the set, in phase 1
  int64_t merged;   // inserts that found an equal insert in the proxy of the core
  int64_t known;    // inserts of pairs that the core already knew to be in the set
  int64_t edges;    // edges of the reduced graph: size of the set at the end of phase 1
  int64_t rounds;   // number of rounds of phase 2

  int64_t duplicates_removed() const { return merged + known; }
};

/// An algorithm, with its memory for one graph. Only the creating core may use the object, for one
/// run at a time. All: From: task. Suspends.
class Components {
 public:
  virtual ~Components() = default;

  virtual void run() = 0;

  /// Copies the labels of the last run to a linear array of nv elements. The label of a component
  /// is one of its vertices. Messages: one for each vertex.
  virtual void copy_labels(GlobalAddress<VertexID> label) = 0;

  virtual MeetingCounts meeting_counts() const { return MeetingCounts(); }
};

struct KahanOptions {
  Grappa::Combining combining;  // of the set of cross edges
  int64_t concurrent_roots;     // traversals in flight over all cores; at least one on each core
  bool tuned;                   // each core has its own set until the end of phase 1
};

/// Messages of a run: for each vertex of another core, each core sends at most one claim of 16
/// bytes and two messages for the label. Each cross edge costs one message; in the tuned form, each
/// core and different pair of roots. Phase 2 costs those of connect_reduced_graph. Memory: on each
/// core 3 bits for each slot, and one label for each neighbour.
std::unique_ptr<Components> kahan_components(GlobalAddress<LabelGraph> g,
                                             const KahanOptions& options);

/// Memory: on each core one bit for each slot, and one slot for each of its vertices. Messages of a
/// run: those of GiantComponent::find(), and a few of 8 bytes (16 if a slot has 8) for each edge
/// between cores outside of the giant component.
std::unique_ptr<Components> afforest_components(GlobalAddress<LabelGraph> g);

/// An edge of the reduced graph: the roots of two traversals that have met.
struct RootPair {
  VertexID low, high;

  /// Returns the pair of two different roots, given in any order.
  static RootPair of(VertexID a, VertexID b) { return a < b ? RootPair{a, b} : RootPair{b, a}; }

  bool operator==(const RootPair& other) const { return low == other.low && high == other.high; }
};

struct RootHash {
  size_t operator()(const RootPair& pair) const {
    // Roots are often multiples of a power of two, and hash tables use the lower bits.
    const uint64_t mixed = static_cast<uint64_t>(pair.low) * 0x9E3779B97F4A7C15u ^
                           static_cast<uint64_t>(pair.high) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<size_t>(mixed ^ mixed >> 32);
  }
  size_t operator()(VertexID root) const { return (*this)(RootPair{root, root}); }
};

typedef Grappa::GlobalSet<RootPair, RootHash> PairSet;

/// Sets the label of each root, a vertex that is its own label, to the label of its component in
/// the reduced graph, which is a root. Returns the number of rounds. From: task, one at a time.
/// Suspends. Messages in a round: a few for each edge, and for each root and shortcut.
int64_t connect_reduced_graph(GlobalAddress<LabelGraph> g, GlobalAddress<PairSet> edges);

}  // namespace cc
