#pragma once

/// Validation of the labels of connected components, by rules that together leave one partition:
///   1. every label is a vertex;
///   2. the label of a label is itself, so that each class has one fixed member for its label;
///   3. each input edge joins equal labels: no component is split;
///   4. each vertex is connected with its label: no components are merged. The first time this is
///      shown by a search from all labels at once, through the lists of neighbours; from then on
///      the number of components is known, and labels that obey the first three rules and are as
///      many are right;
///   5. the partition is that of a serial union-find over the input edges, where one core has room.

#include "apps/cc/cc_graph.hpp"

#include "structures/graph/tuple_graph.hpp"

#include <cstdint>
#include <string>

namespace cc {

using Grappa::TupleGraph;

struct Verdict {
  bool valid;
  int rule;              // the first that is broken; 0 if valid
  VertexID vertex;       // the lowest that breaks it; -1 if valid or if the number is wrong
  std::string sentence;  // names both; empty if valid
};

/// How much is judged.
enum class VerifyLevel {
  None,   // nothing: the labels are believed
  Rules,  // rules 1 to 4, on any number of cores
  Full    // rule 5 too
};

/// Labels that are a vertex's own. `label` is linear, `nv` long.
/// From: task. Suspends.
int64_t count_labels(GlobalAddress<VertexID> label, int64_t nv);

/// Judges the labels of one graph, any number of times. Lives on the core whose task has made it.
class Verifier {
 public:
  /// `graph` has the input edges of `g`, and outlives this, as `g` does.
  /// From: task. Suspends. Messages: at level Full one to this core for each input edge.
  Verifier(const TupleGraph& graph, GlobalAddress<LabelGraph> g, VerifyLevel level);
  ~Verifier();
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `label` is linear, `nv` long.
  /// From: task, one at a time. Suspends. Messages: two for each input edge and each vertex; the
  /// first time one for each neighbour of each vertex more.
  Verdict verify(GlobalAddress<VertexID> label);

  /// Whether rule 5 is judged.
  bool compares() const { return bool(smallest_); }

 private:
  const TupleGraph& graph_;
  const GlobalAddress<LabelGraph> g_;
  const VerifyLevel level_;
  GlobalAddress<VertexID> smallest_;  // by serial union-find: the smallest of each vertex's
                                      // component; null if that is not judged
  int64_t components_ = -1;           // once known
};

/// Bytes over all cores that verification needs, `label` included.
double verify_bytes_needed(int64_t nv);

}  // namespace cc
