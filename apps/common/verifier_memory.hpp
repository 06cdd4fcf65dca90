#pragma once

/// The memory of verifiers that are serial programs on one core (plain_graph.hpp).

#include "apps/common/input_edges.hpp"

namespace apps {

/// Aborts the job by input_error unless this node has the memory for a PlainGraph of these edges,
/// and for `bytes_per_vertex` more. The flag of the verifier is --verify. From: task, before the
/// work that is to be verified.
void check_verifier_memory(const InputEdges& edges, double bytes_per_vertex);

}  // namespace apps
