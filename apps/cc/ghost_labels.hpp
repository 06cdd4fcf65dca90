#pragma once

/// Copies, on one core, of the labels of all neighbours of its vertices. With these copies, a core
/// can compare the ends of its edges without messages.
///
/// Copies are stored in the order of slots, without gaps. A bitmap has one bit for each slot that
/// has a copy, and a counter for every 64 slots has the number of copies before them (G. Jacobson,
/// "Space-efficient Static Trees and Graphs", FOCS 1989). A copy is found with two reads, and all
/// copies take no more memory than the lists of neighbours.

#include "apps/cc/cc_graph.hpp"
#include "structures/graph/csr/vertex_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cc {

/// Label: an unsigned integer type that can hold any label.
template <class Label>
class GhostLabels {
 public:
  /// Allocates copies for the slots whose bits are set: bit b of `wanted[w]` is slot 64 w + b.
  explicit GhostLabels(const std::vector<uint64_t>& wanted);

  /// Gets the labels from the owners in `g`, asynchronously: all labels have arrived when the scope
  /// of the caller is finished. From: task. Suspends while no message buffer is free. Messages: 2
  /// for each slot of another core.
  void fetch(GlobalAddress<LabelGraph> g);

  /// Returns the label of a slot, whose bit must be set.
  VertexID label(uint64_t slot) const { return static_cast<VertexID>(labels_[copy_of(slot)]); }

  /// Prefetches for label(): first prefetch_place(), and later prefetch_label(), which reads the
  /// result of the first prefetch.
  void prefetch_place(uint64_t slot) const { __builtin_prefetch(&words_[slot / 64]); }
  void prefetch_label(uint64_t slot) const { __builtin_prefetch(&labels_[copy_of(slot)]); }

 private:
  struct Word {
    uint64_t wanted;
    uint64_t before;  // number of copies for the slots of earlier words
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
