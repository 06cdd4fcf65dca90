#pragma once

/// Writing a graph to a file on all cores at once. Every core takes an equal number of consecutive
/// edges, looks at them to learn how many bytes they will be and whether the format can hold them,
/// and then writes them to its own byte range of one file, in pieces of 1 MiB of edges. So the file
/// is the same on any number of cores, and takes a few MiB of memory a core to write.
///
/// The file is written under another name in the same folder, PATH.PID.saving, and renamed when it
/// is whole and on disk: until then the old file stays, and if something goes wrong the new one is
/// removed. (A job that is killed leaves it behind.)

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
