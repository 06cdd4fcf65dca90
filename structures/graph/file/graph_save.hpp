#pragma once

/// Writing a graph to a file on all cores in parallel. Every core takes an equal number of
/// consecutive edges and first encodes them to compute their size and to check their ids. Then the
/// core writes them to its byte range of the file, in pieces of 1 MiB of edges. So the file is the
/// same on any number of cores, and a core needs a few MiB of memory.
///
/// The file is written as PATH.PID.saving, in the directory of PATH, and renamed to PATH when the
/// file is complete on disk. Until then the old file stays. If an error occurs, the new file is
/// removed. (If the job is killed, the new file is not removed.)

#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace Grappa {
namespace detail {

/// `format` is a name or "" (graph_format.hpp). Returns "", or a line of text that begins with the
/// path. From: task. Suspends. Messages: those of memcpy, twice for each MiB of edges.
std::string write_graph_file(const TupleGraph& graph, const std::string& path,
                             const std::string& format);

}  // namespace detail
}  // namespace Grappa
