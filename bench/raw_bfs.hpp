#pragma once

/// Breadth-first search in the memory of one process, with OpenMP: the baseline of searches of
/// global graphs. Of Grappa it has nothing.
///
/// Levels are searched in either direction, whichever looks at fewer edges: S. Beamer, K. Asanovic,
/// D. Patterson, "Direction-Optimizing Breadth-First Search", SC 2012. Top-down, the frontier is a
/// queue, and a vertex is claimed by compare-and-swap of its parent; bottom-up, it is a bitmap, and
/// each vertex without a parent looks for one until it has found it.

#include "bench/raw_csr.hpp"
#include "bench/raw_found.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>

namespace raw {

enum class Direction { Optimising, TopDown };

/// Keeps what searches need, so that none has to take memory. One search at a time.
class Searcher {
 public:
  /// `graph` has to outlive this.
  Searcher(const Csr* graph, int threads);

  /// The parent of each vertex, the root its own, a negative number where none was reached; until
  /// the next search. Makes all anew, resetting the parents of the search before included.
  const Vertex* search(Vertex root, Direction direction);

 private:
  typedef uint64_t Word;  // of a bitmap

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
  const int64_t words_;  // of a bitmap
  // Of whole words. Without a parent yet, a vertex has ~degree for one, hence -1 if it is to
  // have none.
  Array<Vertex> unreached_;  // the parents before a search
  Array<Vertex> parents_;
  Array<Vertex> queue_;  // of all vertices reached top-down; the frontier is the end of it
  int64_t frontier_begin_ = 0;
  int64_t frontier_end_ = 0;
  Array<Word> frontier_;
  Array<Word> next_;
};

}  // namespace raw
