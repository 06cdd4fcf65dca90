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

}  // namespace uts
