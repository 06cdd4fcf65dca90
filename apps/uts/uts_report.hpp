#pragma once

/// What the benchmark says of its run, as lines and as JSON.

#include "apps/uts/uts_published.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace uts {

struct RunResult {
  Parameters parameters;
  const PublishedTree* published;  // null if the tree is none of these
  double seconds;
  std::vector<Counts> by_core;
  Counts counts;  // of all cores

  double nodes_per_second() const { return seconds > 0 ? double(counts.nodes) / seconds : 0; }
};

/// Empty if the tree is none that is published, or all is as published; else a sentence that has
/// both the counts that there should be and those that were found.
std::string wrong_counts(const RunResult& run);

/// Of the tree, before it is searched.
void print_tree(const RunResult& run, std::ostream& out);

void print_counts(const RunResult& run, std::ostream& out);

/// The whole run as a JSON object, ended by a newline.
std::string to_json(const RunResult& run);

}  // namespace uts
