#pragma once

/// Reading a graph from lines. Every core parses the lines of its byte range (line_range.hpp) into
/// its own buffer, since the number of edges before its range is not yet known. Then all cores move
/// their edges to the global array, a few MiB at a time. A buffer frees its memory as the global
/// array fills. So a core needs 16 bytes for each edge in its range, or in its part of the array if
/// larger, about 10 MiB more, and one huge page of the array for each core of the job.

#include "structures/graph/file/file_problem.hpp"
#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace Grappa {
namespace detail {

/// `fd` is the file at `path`, a regular file that is not empty. Sets `graph` if there is no
/// problem. From: task. Suspends. Messages: those of memcpy, for each MiB of edges.
FileProblem read_text_graph(const std::string& path, int fd, GraphFormat format, TupleGraph* graph);

}  // namespace detail
}  // namespace Grappa
