#pragma once

/// When a search changes its direction: S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing
/// Breadth-First Search", SC 2012, section 5. Top-down steps look at all edges of the frontier,
/// bottom-up steps at edges of unvisited vertices until one leads to the frontier.

#include <cstdint>

namespace bfs {

/// The paper's parameters.
struct DirectionOptions {
  double alpha = 14;  // bottom-up once the frontier has more than 1/alpha of the unexplored edges;
                      // 0: never
  double beta = 24;   // top-down again once it has less than 1/beta of the vertices
};

/// The same on every core, since it depends on sums over all cores only.
class DirectionRule {
 public:
  /// `nadj`: entries of all lists.
  DirectionRule(const DirectionOptions& options, int64_t nv, int64_t nadj)
      : options_(options), nv_(nv), unexplored_(nadj) {}

  bool bottom_up() const { return bottom_up_; }

  /// A step has found a new frontier of so many vertices, whose lists have so many entries. Decides
  /// the direction of the next one.
  void advance(int64_t vertices, int64_t entries) {
    unexplored_ -= entries;
    const bool growing = vertices > before_;
    before_ = vertices;
    if (!bottom_up_) {
      bottom_up_ = growing && options_.alpha > 0 &&
                   static_cast<double>(entries) * options_.alpha > static_cast<double>(unexplored_);
    } else {
      bottom_up_ =
          growing || static_cast<double>(vertices) * options_.beta >= static_cast<double>(nv_);
    }
  }

 private:
  const DirectionOptions options_;
  const int64_t nv_;
  int64_t unexplored_;  // entries of vertices that no frontier has had
  int64_t before_ = 0;  // vertices of the last frontier
  bool bottom_up_ = false;
};

}  // namespace bfs
