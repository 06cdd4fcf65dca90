#pragma once

/// The trees that the authors of UTS publish with their programs, and their counts.

#include "apps/uts/uts_tree.hpp"

#include <string>

namespace uts {

struct PublishedTree {
  const char* name;
  Parameters parameters;
  Counts counts;
};

/// Returns null if no published tree has the name or the parameters.
const PublishedTree* find_published(const std::string& name);
const PublishedTree* find_published(const Parameters& parameters);

/// "T1 T2 ..."
std::string published_names();

/// Empty if the counts match or no counts are published; otherwise an error message with the
/// expected and the actual counts. `tree` may be null.
std::string wrong_counts(const PublishedTree* tree, const Counts& found);

}  // namespace uts
