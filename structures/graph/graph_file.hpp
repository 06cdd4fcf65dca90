#pragma once

/// Reading a graph from a text file on all cores at once: every core reads, parses and keeps its
/// own byte range (line_range.hpp), then all write their edges to one global array in the order of
/// the file. At its peak that takes 32 bytes an edge over all cores, and a few MiB a core.
///
/// Errors are the file's first: each core stops at the first bad line of its range, the one with
/// the smallest offset wins, and only then are lines counted up to it.

#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace Grappa {

enum class GraphFormat { kUnknown, kEdgeList, kMatrixMarket };

/// "el", "tsv" or "mm"; if `name` is "", from the suffix of the path.
GraphFormat graph_format(const std::string& path, const std::string& name);

/// Returns "" and sets `graph`, or returns a line of text: "FILE:LINE: what is wrong" or "FILE:
/// ...". From: task. Suspends. Messages: one per four edges.
std::string read_graph_file(const std::string& path, GraphFormat format, TupleGraph* graph);

}  // namespace Grappa
