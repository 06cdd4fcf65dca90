#pragma once

/// Files with the results for vertices. For each vertex that has a value, the file has a line (or
/// binary record, by the suffix) with the vertex and its value, such as the parent in a search. The
/// format is that of edge files (structures/graph), so programs that read graphs can read it.

#include <Grappa.hpp>

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <string>

namespace apps {

/// Writes (v, value[v]) where value[v] >= 0, in the order of v. `value` is linear, with `nv`
/// elements. If `original` (linear) is not null, the file has the original ids of vertices, and of
/// values if `value_is_vertex`. A write error aborts the job with a message that names `flag`.
/// From: task. Suspends. Messages: a few for each vertex. Memory: 16 bytes for each vertex.
void write_pairs(const char* flag, const std::string& path, int64_t nv,
                 Grappa::GlobalAddress<int64_t> value,
                 Grappa::GlobalAddress<Grappa::VertexID> original, bool value_is_vertex);

}  // namespace apps
