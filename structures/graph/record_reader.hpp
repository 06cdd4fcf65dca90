#pragma once

/// Reading a graph from records of equal size (edge_record.hpp): the size of the file tells how
/// many edges there are and which are whose, so every core puts its part, a piece at a time, to
/// where it belongs. Beyond the edges that takes some 2 MiB a core.

#include "structures/graph/file_problem.hpp"
#include "structures/graph/graph_format.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace Grappa {
namespace detail {

/// `fd` is the file at `path`, regular and not empty. Sets `graph` if there is no problem.
/// From: task. Suspends. Messages: those of memcpy, for each MiB of edges.
FileProblem read_record_graph(const std::string& path, int fd, GraphFormat format,
                              TupleGraph* graph);

}  // namespace detail
}  // namespace Grappa
