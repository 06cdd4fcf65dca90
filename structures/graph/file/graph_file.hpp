#pragma once

/// Reading a graph from a file on all cores in parallel: every core reads its own byte range and
/// writes its edges to one global array, in the order of the file. The peak memory is 16 bytes for
/// each edge over all cores, and a few MiB for each core (text_reader.hpp, record_reader.hpp).
///
/// The reader reports the first error in the file: each core stops at the first bad line or record
/// of its range, and the error with the smallest offset is reported, with its line number.

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

}  // namespace detail
}  // namespace Grappa
