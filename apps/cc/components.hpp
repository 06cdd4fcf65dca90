#pragma once

/// What the algorithms for connected components have in common.

#include "apps/cc/cc_graph.hpp"

#include <cstdint>
#include <memory>

namespace cc {

/// What has become of the meetings of traversals, over all cores; zeros of an algorithm without.
struct MeetingCounts {
  int64_t inserts;  // into the set, in phase 1
  int64_t merged;   // of these, equal to one that waited in the proxy of the core
  int64_t known;    // of these, already known to the core to be in the set
  int64_t edges;    // in the set when phase 1 has ended: of the reduced graph
  int64_t rounds;   // of phase 2

  /// Inserts that were not sent, since the same had been before.
  int64_t duplicates_removed() const { return merged + known; }
};

/// An algorithm, with the memory that it needs for one graph. Lives on the core whose task has made
/// it. One run at a time.
class Components {
 public:
  virtual ~Components() = default;

  /// Finds the components. From: task. Suspends.
  virtual void run() = 0;

  /// Of the last run: label[v] is a vertex of the component of v, the same one for all of them; in
  /// a linear array of nv. From: task. Suspends. Messages: some for each vertex.
  virtual void copy_labels(GlobalAddress<VertexID> label) = 0;

  /// Of the last run. From: task. Suspends.
  virtual MeetingCounts meeting_counts() { return MeetingCounts(); }
};

}  // namespace cc
