#pragma once

/// The interface of all algorithms for connected components.

#include "apps/cc/cc_graph.hpp"

#include <cstdint>
#include <memory>

namespace cc {

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
  /// is one of its vertices. From: task. Suspends. Messages: a few for each vertex.
  virtual void copy_labels(GlobalAddress<VertexID> label) = 0;

  /// Counts of the last run. From: task. Suspends.
  virtual MeetingCounts meeting_counts() { return MeetingCounts(); }
};

}  // namespace cc
