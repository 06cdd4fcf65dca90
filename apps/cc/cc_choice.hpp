#pragma once

/// The algorithm that the flags --algorithm, --combining and --concurrent_roots select.

#include "apps/cc/components.hpp"

#include <memory>
#include <string>

namespace cc {

/// Aborts the job with an error message if these flags are invalid.
void check_algorithm_flags();

/// From: task. Suspends.
std::unique_ptr<Components> make_components(GlobalAddress<LabelGraph> g);

/// Example: "afforest" or "kahan, combining distributed, 64 traversals in flight".
std::string algorithm_description();

/// True if the algorithm counts cross edges.
bool counts_cross_edges();

/// Bytes over all cores, without the graph, that an algorithm normally does not exceed.
double components_bytes_needed(int64_t nv);

}  // namespace cc
