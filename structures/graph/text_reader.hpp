#pragma once

/// Reading a graph from lines: every core parses the lines of its byte range (line_range.hpp) into
/// a buffer of its own, since nobody knows yet how many edges come before, and then all move theirs
/// to their places, some MiB at a time. A buffer gives its memory back as the global array takes
/// some. So a core needs 16 bytes for each edge in its range, or in its part of the array if these
/// are more, and beyond that some 10 MiB and, for each core of the job, the huge page of the array
/// that this one is about to fill.

#include "structures/graph/file_problem.hpp"
#include "structures/graph/graph_format.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace Grappa {
namespace detail {

/// `fd` is the file at `path`, regular and not empty. Sets `graph` if there is no problem.
/// From: task. Suspends. Messages: those of memcpy, for each MiB of edges.
FileProblem read_text_graph(const std::string& path, int fd, GraphFormat format, TupleGraph* graph);

}  // namespace detail
}  // namespace Grappa
