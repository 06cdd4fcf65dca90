#pragma once

/// The trees that the authors of UTS publish with their programs, and what there is to count.

#include "apps/uts/uts_tree.hpp"

#include <string>

namespace uts {

struct PublishedTree {
  const char* name;
  Parameters parameters;
  Counts counts;
};

/// Null if no tree has that name, or those parameters.
const PublishedTree* find_published(const std::string& name);
const PublishedTree* find_published(const Parameters& parameters);

/// "T1, T2 ..."
std::string published_names();

}  // namespace uts
