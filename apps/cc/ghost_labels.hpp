#pragma once

/// One core's copies of the labels of all vertices that its own lead to, so that each of its edges
/// can be looked at without a message.
///
/// They lie in the order of slots, without gaps: a bit for each slot says whether it has a copy,
/// and a number for each 64 of them how many copies come before (G. Jacobson, "Space-efficient
/// Static Trees and Graphs", FOCS 1989). So a copy is found by two reads, and the copies take no
/// more room than the lists of neighbours.

#include "apps/cc/cc_graph.hpp"
#include "structures/graph/vertex_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cc {

/// Label: an unsigned integer that holds each label.
template <class Label>
class GhostLabels {
 public:
  /// Of those whose bits are set: bit b of `wanted[w]` is that of slot 64 w + b.
  explicit GhostLabels(const std::vector<uint64_t>& wanted);

  /// Gets them from the owners of `g`, as work of the caller's scope: all are there when it ends.
  /// From: task. Suspends: while no message buffer is free. Messages: 2 for each of
  /// another core.
  void fetch(GlobalAddress<LabelGraph> g);

  /// For a slot that is wanted.
  VertexID label(uint64_t slot) const { return static_cast<VertexID>(labels_[copy_of(slot)]); }

  /// It will be asked for before long: the first well before the second, which reads what that
  /// brings.
  void prefetch_place(uint64_t slot) const { __builtin_prefetch(&words_[slot / 64]); }
  void prefetch_label(uint64_t slot) const { __builtin_prefetch(&labels_[copy_of(slot)]); }

 private:
  struct Word {
    uint64_t wanted;
    uint64_t before;  // copies of the slots of earlier words
  };

  size_t copy_of(uint64_t slot) const {
    const Word& word = words_[slot / 64];
    const uint64_t lower = (uint64_t{1} << (slot % 64)) - 1;
    return static_cast<size_t>(word.before) +
           static_cast<size_t>(__builtin_popcountll(word.wanted & lower));
  }

  std::vector<Word> words_;
  std::vector<Label> labels_;
};

}  // namespace cc
