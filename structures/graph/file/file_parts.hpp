#pragma once

/// The parts of a graph file that all cores read or write in parallel.

#include "structures/graph/edge.hpp"
#include "structures/text/open_file.hpp"
#include "system/global/address.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

/// What a core takes of the global heap to read or write lists, at most, in addition to its arrays:
/// for objects, and for the padding of the arrays.
constexpr int64_t kHeapBytesOfCore = 4096;

/// The part of a file that one core reads or writes. It is a symmetric object.
struct GraphPart {
  int64_t size = 0;      // edges that were read, or bytes or edges that will be written
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

/// Returns the totals of all parts, and sets the start of each part. From: task. Suspends: until
/// done. Messages: 2 for each other core, and a few more if there is a problem.
PartTotals sum_parts(GlobalAddress<GraphPart> parts);

/// Calls `body(path, part)` on every core and returns the totals. From: task. Suspends: until done.
template <class F>
PartTotals on_all_parts(GlobalAddress<GraphPart> parts, const std::string& path, F body) {
  const RemoteText path_here(path);
  on_all_cores([parts, path_here, body] { body(path_here.fetch(), parts.operator->()); });
  return sum_parts(parts);
}

/// Writes a file that make() has created: writes the header, and calls `body(path, part)` on every
/// core. Returns "" or the problem. From: task. Suspends: until done.
template <class F>
std::string write_parts(NewFile* file, const std::string& header, GlobalAddress<GraphPart> parts,
                        F body) {
  if (!write_fully(file->fd(), header.data(), int64_t(header.size()), 0)) {
    return with_errno("cannot be written");
  }
  return on_all_parts(parts, file->path(), body).problem.sentence;
}

}}  // namespace Grappa::detail
