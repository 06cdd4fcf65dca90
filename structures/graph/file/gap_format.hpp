#pragma once

/// The serialized graphs of the GAP Benchmark Suite (S. Beamer, K. Asanovic, D. Patterson: "The GAP
/// Benchmark Suite", 2015): lists of neighbours, in the memory order of the machine. Its programs
/// call them `.sg`, and `.wsg` with weights. There is no padding:
///
///     header      1 byte: directed (0 or 1); 8 bytes each: entries of all lists, vertices
///     offsets     8 bytes each: the first entry of each vertex, and the number of all entries
///     entries     4 bytes each: ids of neighbours; in .wsg, a weight of 4 bytes follows each id
///
/// In a directed graph, these are the out-neighbours, and offsets and entries of the in-neighbours
/// follow. Every edge of an undirected graph is in two lists. All numbers are signed.

#include "structures/text/open_file.hpp"

#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

constexpr int64_t kGapHeaderBytes = 17;
constexpr int64_t kMostGapVertices = int64_t{1} << 31;

struct GapWeightedEntry {
  int32_t id;
  int32_t weight;
};

struct GapHeader {
  bool directed = false;
  int64_t entries = 0;  // of all lists of one side
  int64_t nv = 0;
  int64_t entry_bytes = 4;

  int sides() const { return directed ? 2 : 1; }
  int64_t side_bytes() const { return 8 * (nv + 1) + entry_bytes * entries; }
  int64_t offsets_at(int side) const { return kGapHeaderBytes + side * side_bytes(); }
  int64_t entries_at(int side) const { return offsets_at(side) + 8 * (nv + 1); }
  int64_t bytes() const { return offsets_at(sides()); }
};

/// Reads the header of a file with `file_bytes` bytes. If no problem is found, a file with the
/// numbers in `header` has as many bytes, and at least one vertex. From: any thread.
FileProblem read_gap_header(int fd, int64_t file_bytes, bool weighted, GapHeader* header);

/// Returns the kGapHeaderBytes bytes of the header. From: any thread.
std::string gap_header_bytes(const GapHeader& header);

}}  // namespace Grappa::detail
