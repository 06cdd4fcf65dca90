#pragma once

/// The output of the benchmark: one line for each search, the statistics under the names of the
/// Graph500 reference codes, and the same data as JSON.

#include "apps/common/graph_report.hpp"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace bfs {

struct SearchResult {
  int64_t root;
  double seconds;
  double verify_seconds;
  int64_t reached;          // vertices
  int64_t traversed_edges;  // input edges within the component of the root

  double teps() const { return seconds > 0 ? double(traversed_edges) / seconds : 0; }
};

struct RunResult {
  apps::GraphReport graph;
  std::string algorithm;  // description for the output
  std::string verify;     // level of validation: "none", "sampled" or "full"
  std::vector<SearchResult> searches;
};

void print_search(int64_t index, const SearchResult& search, std::ostream& out);

/// `run` has at least one search.
void print_statistics(const RunResult& run, std::ostream& out);

/// The whole run as a JSON object, followed by a newline.
std::string to_json(const RunResult& run);

}  // namespace bfs
