#pragma once

/// The output of the program: one line for each trial, the number of components of each size, the
/// statistics, and the same data as JSON.

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
  MeetingCounts cross_edges;

  /// Million input edges a second.
  double mteps() const { return seconds > 0 ? double(edges) / seconds / 1e6 : 0; }
};

struct RunResult {
  apps::GraphReport graph;
  std::string algorithm;  // description for the output
  bool has_cross_edges;   // true if the algorithm counts cross edges
  std::string verify;     // level of verification: "none", "rules" or "full"
  bool compared;          // true if compared with a serial union-find
  std::vector<TrialResult> trials;
  std::map<int64_t, int64_t> sizes;  // number of components of each size
};

void print_trial(int64_t index, const RunResult& run, std::ostream& out);

/// `run` has at least one trial.
void print_statistics(const RunResult& run, std::ostream& out);

/// The whole run as a JSON object, followed by a newline.
std::string to_json(const RunResult& run);

}  // namespace cc
