#pragma once

/// Verification of the labels of connected components by rules that only the correct partition
/// satisfies:
///   1. Every label is a vertex.
///   2. The label of a label is itself: each class has one fixed member as its label.
///   3. Each input edge joins equal labels: no component is split.
///   4. Each vertex is connected with its label: no components are merged. The first verification
///      searches from all labels at once, through the lists of neighbours. Later verifications
///      compare the number of labels.
///   5. The partition is that of a serial union-find, if the vertices fit on one core.
///
/// `label` is a linear array of `nv` elements. All functions: From: task, one at a time. Suspends.

#include "apps/cc/components.hpp"
#include "apps/common/input_edges.hpp"
#include "apps/common/verdict.hpp"

namespace cc {

using apps::Verdict;

/// Rules: rules 1 to 4, on any number of cores. Full: rules 1 to 5.
enum class VerifyLevel { None, Rules, Full };

/// Verifies labels of one graph, any number of times. Only the creating core may use this object.
class Verifier {
 public:
  /// `edges` are the input edges of `g`. Both must outlive the object. Messages: at level
  /// Full, one to this core for each input edge.
  Verifier(const apps::InputEdges& edges, GlobalAddress<LabelGraph> g, VerifyLevel level);
  ~Verifier();
  Verifier(const Verifier&) = delete;

  /// Messages: two per input edge and vertex. The first call also sends one per list entry.
  Verdict verify(GlobalAddress<VertexID> label);

  bool compares() const { return bool(smallest_); }  ///< rule 5 is checked

 private:
  const apps::InputEdges edges_;
  const GlobalAddress<LabelGraph> g_;
  const VerifyLevel level_;
  GlobalAddress<VertexID> smallest_;  // apps::serial_components(); null if rule 5 is not checked
  int64_t components_ = -1;           // -1 until known
};

/// Returns the bytes over all cores that the verification needs, including `label`.
double verify_bytes_needed(int64_t nv);

}  // namespace cc
