#pragma once

/// The graph to search, the interface of the search algorithms, and the rule of direction.

#include <Grappa.hpp>

#include "structures/combining.hpp"
#include "structures/graph/graph.hpp"

#include <memory>

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::VertexID;

struct Visit {
  VertexID parent;  // -1 until the vertex is reached; the root is its own parent
};

typedef Grappa::Graph<Visit> SearchGraph;

struct Levels {
  int64_t all;        // frontiers of a search, including that of the root
  int64_t bottom_up;  // frontiers that a bottom-up step expands
};

/// A search algorithm, with its memory for one graph. Only the creating core may use the object,
/// for one search at a time. All: From: task. Suspends.
class Search {
 public:
  virtual ~Search() = default;

  /// Searches the component of `root`.
  virtual Levels run(VertexID root) = 0;

  /// Copies the parents (-1: unreached) of the last search to a linear array of nv elements.
  /// Messages: one for each vertex.
  virtual void copy_parents(GlobalAddress<VertexID> parent) = 0;
};

/// Bottom-up if the frontier has more than 1/alpha of the unexplored edges; alpha = 0: never.
/// Top-down again if the frontier has less than 1/beta of the vertices.
struct DirectionOptions {
  double alpha, beta;
};

/// Messages: in a search, 16 bytes for each neighbour of each reached vertex, and the messages of
/// the queue for each vertex.
std::unique_ptr<Search> queue_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode);

/// Messages: in a top-down step, those of queue_search. In a bottom-up step, each locale sends one
/// bit for each of its slots to each other locale, and each core a few messages.
std::unique_ptr<Search> direction_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode,
                                         const DirectionOptions& options);

/// Memory: one slot for each vertex, two for each leaf, and up to four for each vertex of the
/// largest top-down frontier; in each locale 3 bits for each slot, and on each core 1 bit for each
/// slot and 3 for its own. Messages: in a search, each core sends at most one message of 8 bytes
/// (16 if a slot has 8 bytes) for each vertex of another core. In a bottom-up step, and
/// at each change from top-down to bottom-up, each locale sends one bit for each of its slots to
/// each other locale. At the end, if the graph has leaves, it does so once more. But if the lists
/// of the vertices visited since the last time have fewer entries than 1/64 of the slots, one
/// message goes to each leaf of these vertices. Each level has one reduction and at most one
/// barrier.
std::unique_ptr<Search> tuned_search(GlobalAddress<SearchGraph> g, const DirectionOptions& options);

/// What a step found.
struct Found {
  int64_t vertices;
  int64_t entries;  // of their lists; if more than DirectionRule::decisive(), may be an estimate
  // Not 0 if a vertex of the frontier that the step expanded has a leaf as a neighbour
  // (leaves.hpp). Only valid if the step found no vertices.
  int64_t with_leaves;
};

/// The rule for a change of direction depends only on sums over all cores. (S. Beamer, K. Asanovic,
/// D. Patterson, "Direction-Optimizing Breadth-First Search", SC 2012, section 5.)
class DirectionRule {
 public:
  DirectionRule(const DirectionOptions& options, int64_t nv, int64_t nadj)
      : options_(options), nv_(nv), unexplored_(nadj) {}

  bool bottom_up() const { return bottom_up_; }

  /// The levels so far.
  const Levels& levels() const { return levels_; }

  /// Returns a number of entries. A growing frontier with more is expanded bottom-up, however many
  /// they are. -1 if no number of entries matters.
  double decisive() const { return options_.alpha > 0 ? double(unexplored_) / options_.alpha : -1; }

  /// Selects the direction of the next step, which starts from a frontier of these sizes.
  void advance(int64_t vertices, int64_t entries) {
    unexplored_ -= entries;
    const bool growing = vertices > before_;
    before_ = vertices;
    bottom_up_ = bottom_up_ ? growing || double(vertices) * options_.beta >= double(nv_)
                            : growing && double(entries) * options_.alpha > double(unexplored_) &&
                                  options_.alpha > 0;
    ++levels_.all;
    levels_.bottom_up += bottom_up_;
  }

 private:
  const DirectionOptions options_;
  const int64_t nv_;
  int64_t unexplored_;  // list entries of vertices that no frontier has contained, or an estimate
  int64_t before_ = 0;  // vertices of the previous frontier
  Levels levels_ = {0, 0};
  bool bottom_up_ = false;
};

}  // namespace bfs
