#pragma once

/// Reading a graph from records of equal size (edge_record.hpp). The size of the file gives the
/// number of edges and the part of each core, so every core writes its edges directly to their
/// final positions, a piece at a time, with 2 MiB of additional memory.

#include "structures/graph/file/file_problem.hpp"
#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace Grappa {
namespace detail {

/// `fd` is the file at `path`, a regular file that is not empty. Sets `graph` if there is no
/// problem. From: task. Suspends. Messages: those of memcpy, for each MiB of edges.
FileProblem read_record_graph(const std::string& path, int fd, GraphFormat format,
                              TupleGraph* graph);

}  // namespace detail
}  // namespace Grappa
