#pragma once

/// Files with what has been found for vertices: for each that has a value a line (or record, by the
/// suffix) with the vertex and its value, such as its parent in a search. They are files of edges
/// (structures/graph), so whatever reads graphs reads them.

#include <Grappa.hpp>

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <string>

namespace apps {

/// Writes (v, value[v]) where value[v] is 0 or more, in the order of v; `value` is linear, `nv`
/// long. With `original` (linear; or null) vertices go by other names, and, if `value_is_vertex`,
/// values too. What cannot be written ends the job with a line that names `flag`.
/// From: task. Suspends. Messages: some for each vertex. Memory: 16 bytes a vertex.
void write_pairs(const char* flag, const std::string& path, int64_t nv,
                 Grappa::GlobalAddress<int64_t> value,
                 Grappa::GlobalAddress<Grappa::VertexID> original, bool value_is_vertex);

}  // namespace apps
