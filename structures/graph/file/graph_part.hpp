#pragma once

/// One core's part of a file of edges that all cores read or write in parallel, and the totals.

#include "structures/graph/file/edge_buffer.hpp"
#include "structures/graph/file/file_problem.hpp"
#include "structures/graph/file/graph_format.hpp"
#include "system/global/address.hpp"
#include "system/net/topology.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

struct GraphPart {
  EdgeBuffer edges;      // only for text files
  int64_t size = 0;      // edges that were read, or bytes that will be written
  int64_t start = 0;     // sum of the sizes of the parts before this one
  VertexID max_id = -1;  // largest id of the edges
  FileProblem problem;
};

struct PartTotals {
  int64_t size = 0;
  int64_t largest_size = 0;  // size of the largest part
  VertexID max_id = -1;
  FileProblem problem;  // the first problem in the file
};

/// Adds up the parts in the order of the cores, and sets their starts. `parts` is symmetric.
/// From: task. Suspends. Messages: 2 for each other core, and a few if there is a problem.
PartTotals sum_parts(GlobalAddress<GraphPart> parts);

/// The first item of core `k`, if `n` items are distributed evenly over all cores, in order.
inline int64_t share_begin(int64_t n, int64_t k) {
  const int64_t p = cores();
  return n / p * k + n % p * k / p;
}

/// Checks that `fd` is open and has `bytes` bytes, as on the calling core of the read: all cores
/// must see the same, unchanged file. On failure, returns false and sets `problem`, at offset
/// `begin`.
bool same_file(int fd, int64_t bytes, int64_t begin, FileProblem* problem);

/// Return the error message if vertices up to `max_id`, or `nedge` edges, do not fit in the free
/// memory of the global heap; "" if they fit. From: task. Suspends.
std::string check_vertices(const std::string& what, VertexID max_id, int64_t max_vertices);
std::string check_edges(int64_t nedge);

/// The number of vertices that fit in the free memory of the global heap. From: task. Suspends.
int64_t most_vertices();

/// Copies a string from another core, a block at a time.
/// From: task. Suspends. Messages: 2 for each 64 characters.
std::string fetch_string(GlobalAddress<const std::string> text);

/// Returns "PATH:LINE: problem", "PATH: record N at byte B: problem" or "PATH: problem". Reads the
/// file `fd` up to the line. From: any thread.
std::string located(const std::string& path, int fd, GraphFormat format,
                    const FileProblem& problem);

}  // namespace detail
}  // namespace Grappa
