#pragma once

/// What one core has of a file of edges that all cores read or write at once, and what their parts
/// are together.

#include "structures/graph/edge_buffer.hpp"
#include "structures/graph/file_problem.hpp"
#include "structures/graph/graph_format.hpp"
#include "system/global/address.hpp"
#include "system/net/topology.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

struct GraphPart {
  EdgeBuffer edges;      // of a text file that is being read
  int64_t size = 0;      // edges that were read, or bytes that are to be written
  int64_t start = 0;     // sum of the sizes of the parts before
  VertexID max_id = -1;  // of the edges
  FileProblem problem;
};

struct PartTotals {
  int64_t size = 0;
  int64_t largest_size = 0;  // of a part
  VertexID max_id = -1;
  FileProblem problem;  // the first of the file
};

/// Adds up the parts, in the order of cores, and sets their starts. `parts` are symmetric.
/// From: task. Suspends. Messages: 2 for each other core, and a few if there is a problem.
PartTotals sum_parts(GlobalAddress<GraphPart> parts);

/// Where the share of core `k` begins, of `n` things dealt evenly over all cores, in order.
inline int64_t share_begin(int64_t n, int64_t k) {
  const int64_t p = cores();
  return n / p * k + n % p * k / p;
}

/// False, with a problem at byte `begin`, unless `fd` is open and holds `bytes` bytes, as the core
/// that began has found: all cores must see one file that nobody changes. From: any.
bool same_file(int fd, int64_t bytes, int64_t begin, FileProblem* problem);

/// What to say where vertices up to `max_id`, or `nedge` edges, do not fit in what is free of the
/// global heap; "" if they do. From: task. Suspends.
std::string check_vertices(const std::string& what, VertexID max_id, int64_t max_vertices);
std::string check_edges(int64_t nedge);

/// As many as fit in what is free of the global heap. From: task. Suspends.
int64_t most_vertices();

/// Copies a string that lives on another core, a block at a time.
/// From: task. Suspends. Messages: 2 for each 64 characters.
std::string fetch_string(GlobalAddress<const std::string> text);

/// "PATH:LINE: what is wrong", "PATH: record N at byte B: ..." or "PATH: ...". From: any. Reads the
/// file `fd` up to the line.
std::string located(const std::string& path, int fd, GraphFormat format,
                    const FileProblem& problem);

}  // namespace detail
}  // namespace Grappa
