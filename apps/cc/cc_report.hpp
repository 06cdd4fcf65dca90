#pragma once

/// What the program says of its run: a line a trial, the components by size, the statistics, and
/// the same as JSON.

#include "apps/cc/components.hpp"
#include "apps/common/graph_report.hpp"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace cc {

struct TrialResult {
  double seconds;
  double verify_seconds;
  int64_t edges;  // input edges
  int64_t components;
  MeetingCounts meetings;

  /// Million input edges a second.
  double mteps() const { return seconds > 0 ? double(edges) / seconds / 1e6 : 0; }
};

struct RunResult {
  apps::GraphReport graph;
  std::string algorithm;  // in words
  bool has_meetings;      // of traversals: the algorithm counts them
  std::string verify;     // the level: "none", "rules" or "full"
  bool compared;          // with a serial union-find
  std::vector<TrialResult> trials;
  std::map<int64_t, int64_t> sizes;  // how many components have each size
};

void print_trial(int64_t index, const RunResult& run, std::ostream& out);

/// `run` has at least one trial.
void print_statistics(const RunResult& run, std::ostream& out);

/// The whole run as a JSON object, ended by a newline.
std::string to_json(const RunResult& run);

}  // namespace cc
