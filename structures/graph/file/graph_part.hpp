#pragma once

/// One core's part of a file that all cores read or write in parallel, and the totals.

#include "structures/graph/edge.hpp"
#include "structures/graph/file/open_file.hpp"
#include "system/global/address.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

/// A symmetric object.
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

/// Adds up the parts in the order of the cores, and sets their starts. From: task. Suspends.
/// Messages: 2 for each other core, and a few if there is a problem.
PartTotals sum_parts(GlobalAddress<GraphPart> parts);

/// Characters in the memory of one core, which any core can copy.
struct RemoteText {
  explicit RemoteText(const std::string& text)
      : first(make_global(text.data())), size(static_cast<int64_t>(text.size())) {}

  /// From: task. Suspends. Messages: those of memcpy.
  std::string fetch() const;

  GlobalAddress<const char> first;
  int64_t size;
};

/// Calls `body(path, part)` on every core, then adds up the parts. From: task. Suspends.
template <class F>
PartTotals on_all_parts(GlobalAddress<GraphPart> parts, const std::string& path, F body) {
  const RemoteText path_here(path);
  on_all_cores([parts, path_here, body] { body(path_here.fetch(), parts.operator->()); });
  return sum_parts(parts);
}

/// Completes a file that make() has created: writes the header, calls `body(path, part)` on every
/// core, and replaces the old file. Returns "" or the problem. From: task. Suspends.
template <class F>
std::string write_parts(NewFile* file, const std::string& header, GlobalAddress<GraphPart> parts,
                        F body) {
  if (!write_fully(file->fd(), header.data(), int64_t(header.size()), 0)) {
    return with_errno("cannot be written");
  }
  const FileProblem problem = on_all_parts(parts, file->path(), body).problem;
  if (problem.found()) return problem.sentence;
  return file->put_in_place() ? "" : file->problem();
}

/// The first item of core `k`, if `n` items are distributed evenly over all cores, in order.
inline int64_t share_begin(int64_t n, int64_t k) {
  const int64_t p = cores();
  return n / p * k + n % p * k / p;
}

/// Checks that `fd` is open and has `bytes` bytes, as on the calling core of the read: all cores
/// must see the same, unchanged file. On failure, returns false and sets `problem`, at offset
/// `begin`.
bool same_file(int fd, int64_t bytes, int64_t begin, FileProblem* problem);

}  // namespace detail
}  // namespace Grappa
