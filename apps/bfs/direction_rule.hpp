#pragma once

/// The rule for a change of direction: S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing
/// Breadth-First Search", SC 2012, section 5. Top-down steps read all edges of the frontier.
/// Bottom-up steps read the edges of each unvisited vertex until one leads to the frontier.

#include <cstdint>

namespace bfs {

struct DirectionOptions {
  double alpha = 14;  // bottom-up if the frontier has more than 1/alpha of the unexplored edges;
                      // 0: always top-down
  double beta = 24;   // top-down again if the frontier has less than 1/beta of the vertices
};

/// A number of vertices, and the total length of their lists.
struct Found {
  int64_t vertices, entries;
};

/// The direction is the same on every core, since it depends only on sums over all cores.
class DirectionRule {
 public:
  /// `nadj`: total length of all lists.
  DirectionRule(const DirectionOptions& options, int64_t nv, int64_t nadj)
      : options_(options), nv_(nv), unexplored_(nadj) {}

  bool bottom_up() const { return bottom_up_; }

  /// Selects the direction of the next step. The last step has found a new frontier of `vertices`
  /// vertices, whose lists have `entries` entries in total.
  void advance(int64_t vertices, int64_t entries) {
    unexplored_ -= entries;
    const bool growing = vertices > before_;
    before_ = vertices;
    bottom_up_ = bottom_up_ ? growing || double(vertices) * options_.beta >= double(nv_)
                            : growing && double(entries) * options_.alpha > double(unexplored_) &&
                                  options_.alpha > 0;
  }

 private:
  const DirectionOptions options_;
  const int64_t nv_;
  int64_t unexplored_;  // list entries of vertices that no frontier has contained
  int64_t before_ = 0;  // vertices of the previous frontier
  bool bottom_up_ = false;
};

}  // namespace bfs
