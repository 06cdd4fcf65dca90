#pragma once

/// Reading and writing the edges of a graph in a file, on all cores in parallel. The first error in
/// a file is reported: each core stops at the first problem of its part, and the problem with the
/// smallest offset is reported.
///
/// A record has a fixed size, so the size of the file gives the number of edges and the part of
/// each core. Every core reads its records and writes the edges to their final positions in the
/// global array, a piece at a time, with 2 MiB of additional memory. For lines, the number of edges
/// before a byte range is not known. So every core parses the lines of its range into a buffer, and
/// then all cores move their edges to the global array, a few MiB at a time. A buffer frees its
/// memory as the array fills. So a core needs 16 bytes for each edge in its range, or in its part
/// of the array if larger, about 10 MiB more, and one huge page of the array for each core.
///
/// To write, every core takes an equal number of consecutive edges and first encodes them to
/// compute their size and to check their ids. Then the core writes them to its byte range of the
/// file, in pieces of 1 MiB of edges. So the file is the same on any number of cores, and a core
/// needs a few MiB of memory. The file is written as PATH.PID.saving (new_file.hpp).

#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace Grappa {
namespace detail {

/// Returns why the open file `fd` cannot be read, without reading its contents; "" if it can. Must
/// be called right after open(2): if `fd` is negative, the message contains errno. From: any.
std::string check_graph_file(int fd);

/// `format` is a name or "" (graph_format.hpp). Returns "" and sets `graph`, or returns a line of
/// text: "FILE:LINE: problem", "FILE: record N at byte B: problem" or "FILE: problem". Lines and
/// records count from 1. From: task. Suspends. Messages: those of memcpy, for each MiB of edges.
std::string read_graph_file(const std::string& path, const std::string& format, TupleGraph* graph);

/// Returns "", or a line of text that begins with the path. From: task. Suspends. Messages: those
/// of memcpy, twice for each MiB of edges.
std::string write_graph_file(const TupleGraph& graph, const std::string& path,
                             const std::string& format);

}  // namespace detail
}  // namespace Grappa
