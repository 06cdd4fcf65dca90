#pragma once

/// The algorithm that flags ask for: --algorithm, --flat_combining, --concurrent_roots.

#include "apps/cc/components.hpp"

#include <memory>
#include <string>

namespace cc {

/// Ends the job if they are wrong.
void check_algorithm_flags();

/// From: task. Suspends.
std::unique_ptr<Components> make_components(GlobalAddress<LabelGraph> g);

/// "afforest", "kahan, combining distributed, 64 traversals in flight".
std::string algorithm_description();

/// Whether that algorithm has traversals that meet.
bool counts_meetings();

/// Bytes over all cores that no algorithm exceeds as a rule, besides the graph.
double components_bytes_needed(int64_t nv);

}  // namespace cc
