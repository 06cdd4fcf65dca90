#pragma once

/// Connected components in the memory of one process, with OpenMP, by the algorithm of apps/cc's
/// afforest: what the runtime adds or costs shows only against the same algorithm.
///
/// The giant component first: a set of bits that begins with the vertex of highest degree and its
/// neighbours. Each thread sweeps through its vertices outside of the set; a vertex joins as soon
/// as one of its neighbours is in. Sweeps end when they no longer pay. The other vertices are then
/// linked by union-find, in which the first vertex of the giant component precedes all others.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>

namespace raw {

/// Keeps what it needs, so that finding takes no memory. One call at a time.
class SweepingComponents {
 public:
  /// `graph` has to outlive this.
  SweepingComponents(const Csr* graph, int threads);

  /// The label of each vertex: a vertex of its component, the same for all of them. Valid until the
  /// next call. Computes everything anew, resetting the labels included.
  const Vertex* find();

 private:
  typedef uint64_t Word;  // of a bitmap

  struct Joined {
    int64_t members;  // that joined in a sweep
    int64_t open;     // that remain
  };

  void begin();
  int64_t plant();
  bool joins(int64_t v) const;
  Joined sweep_words(int64_t first, int64_t last);
  Joined sweep();
  void sweep_while_it_pays();
  void reset_parents();
  void link(Vertex u, Vertex v);
  void link_open();
  void flatten_open();
  bool precedes(Vertex u, Vertex v) const;

  const Csr* const graph_;
  const int threads_;
  const int64_t words_;  // of a bitmap
  Array<Word> members_;
  Array<Word> open_;  // have neighbours and are no members
  Array<Vertex> parents_;
  Vertex seed_ = 0;
};

}  // namespace raw
