#pragma once

/// Breadth-first search in the memory of one process, with OpenMP: the baseline of searches of
/// global graphs. The code is independent of Grappa.
///
/// Each level is searched in the direction that reads fewer edges: S. Beamer, K. Asanovic, D.
/// Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. In top-down steps, the frontier
/// is a queue, and a vertex is claimed by compare-and-swap of its parent. In bottom-up steps, the
/// frontier is a bitmap, and each vertex without a parent searches its list until it finds a
/// parent.

#include "bench/raw_csr.hpp"
#include "bench/raw_found.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>

namespace raw {

enum class Direction { Optimising, TopDown };

/// Keeps all memory, so a search allocates no memory. Only one search may run at a time.
class Searcher {
 public:
  /// `graph` must outlive the object.
  Searcher(const Csr* graph, int threads);

  /// Returns the parent of each vertex. The root is its own parent; the value of an unreached
  /// vertex is negative. The array is valid until the next search, which resets all parents.
  const Vertex* search(Vertex root, Direction direction);

 private:
  typedef uint64_t Word;  // a word of a bitmap

  void reset_parents();
  int64_t expand(Vertex u, Found* found);
  int64_t step_down();
  int64_t step_up();
  Word open_vertices(int64_t word) const;
  Word adopt(int64_t word, Word open);
  void search_bottom_up();
  void bitmap_from_queue();
  void queue_from_bitmap();

  const Csr* const graph_;
  const int threads_;
  const int64_t words_;  // number of words of a bitmap
  // The size of the arrays is a multiple of the bits of a word. The entry of an unreached vertex is
  // ~degree: -1 for a vertex without neighbours.
  Array<Vertex> unreached_;  // initial values of the parents
  Array<Vertex> parents_;
  Array<Vertex> queue_;  // all vertices reached top-down; the frontier is at the end
  int64_t frontier_begin_ = 0;
  int64_t frontier_end_ = 0;
  Array<Word> frontier_;
  Array<Word> next_;
};

}  // namespace raw
