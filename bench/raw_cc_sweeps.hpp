#pragma once

/// Connected components in the memory of one process, with OpenMP, by the afforest algorithm of
/// apps/cc. A comparison with the same algorithm shows the cost of the runtime.
///
/// The giant component is found first, as a bitmap that initially has the vertex of highest degree
/// and its neighbours. Each thread sweeps over its vertices outside of the set. A vertex joins the
/// set as soon as one of its neighbours is a member. Sweeps stop when a sweep adds too few
/// vertices. The remaining vertices are linked by union-find, in which the first vertex of the
/// giant component precedes all others.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>

namespace raw {

/// Keeps all memory, so find() allocates no memory. Only one call may run at a time.
class SweepingComponents {
 public:
  /// `graph` must outlive the object.
  SweepingComponents(const Csr* graph, int threads);

  /// Returns the label of each vertex. The label of a component is one of its vertices. The array
  /// is valid until the next call, which resets all labels.
  const Vertex* find();

 private:
  typedef uint64_t Word;  // a word of a bitmap

  struct Joined {
    int64_t members;  // vertices that have joined in a sweep
    int64_t open;     // vertices that remain open
  };

  void begin();
  int64_t add_seed();
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
  const int64_t words_;  // number of words of a bitmap
  Array<Word> members_;
  Array<Word> open_;  // vertices that have neighbours and are not members
  Array<Vertex> parents_;
  Vertex seed_ = 0;
};

}  // namespace raw
