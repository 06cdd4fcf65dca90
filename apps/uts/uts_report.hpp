#pragma once

/// The output of the benchmark, as lines and as JSON.

#include "apps/uts/uts_published.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace uts {

struct RunResult {
  Parameters parameters;
  const PublishedTree* published;  // null if the tree is not a published tree
  double seconds;
  std::vector<Counts> by_core;
  Counts counts;  // over all cores

  double nodes_per_second() const { return seconds > 0 ? double(counts.nodes) / seconds : 0; }
};

/// Empty if the counts match or no counts are published; otherwise an error message with the
/// expected and the actual counts.
std::string wrong_counts(const RunResult& run);

/// Prints the parameters of the tree, before the search.
void print_tree(const RunResult& run, std::ostream& out);

void print_counts(const RunResult& run, std::ostream& out);

/// The whole run as a JSON object, followed by a newline.
std::string to_json(const RunResult& run);

}  // namespace uts
