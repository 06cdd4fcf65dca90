#pragma once

/// Reading a graph from a file on all cores at once: every core reads its own byte range, and all
/// write their edges to one global array in the order of the file. At its peak that takes 16 bytes
/// an edge over all cores, and a few MiB a core (text_reader.hpp, record_reader.hpp).
///
/// Errors are the file's first: each core stops at the first bad line or record of its range, the
/// one with the smallest offset wins, and only then are lines counted up to it.

#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace Grappa {
namespace detail {

/// What speaks against reading the open file `fd`, without looking into it; "" if nothing does.
/// Right after open(2), whose errno is told if `fd` is negative. From: any.
std::string check_graph_file(int fd);

/// `format` is a name or "" (graph_format.hpp). Returns "" and sets `graph`, or returns a line of
/// text: "FILE:LINE: what is wrong", "FILE: record N at byte B: ..." or "FILE: ...", where lines
/// and records count from 1.
/// From: task. Suspends. Messages: those of memcpy, for each MiB of edges.
std::string read_graph_file(const std::string& path, const std::string& format, TupleGraph* graph);

}  // namespace detail
}  // namespace Grappa
