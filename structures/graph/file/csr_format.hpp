#pragma once

/// The byte format of a saved graph (csr.hpp). All numbers are little-endian and unsigned.
///
///     header   56 bytes: magic "\x89Grappa\n"; 4 bytes each: version, id_bytes, directed (0 or 1),
///              block_vertices; 8 bytes each: nv, entries, blocks, checksum of the 48 bytes before
///     table    for each block its offset and its checksum, 8 bytes each
///     blocks   each holds 2^16 consecutive vertices, and the last block the remaining ones: first
///              the lengths of all lists, 4 bytes each; then their ascending ids, id_bytes each
///
/// An id has 4 bytes if all ids of the graph fit in 4 bytes, otherwise 8. There are no gaps between
/// blocks or after the last block, so equal graphs make equal files on any number of cores.
/// Checksums cover all bytes whose value is not fixed. The checksum is XXH3 with 64 bits (Y.
/// Collet, xxHash, 2019), whose values are stable since version 0.8.0. It detects accidental
/// damage, but not deliberate changes.
///
/// From: any thread, also without a job. Suspends: if a function that is passed as an argument
/// does. Calls that read or write files block in the kernel.

#include "structures/graph/csr/csr.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace Grappa { namespace detail {

uint64_t checksum_of(const void* bytes, size_t size);

constexpr int64_t kCsrHeaderBytes = 56;
constexpr int64_t kCsrRowBytes = 16;
constexpr int64_t kCsrCountBytes = 4;
constexpr int64_t kCsrBlockVertices = int64_t{1} << 16;

struct CsrHeader {
  int64_t nv = 0;
  int64_t entries = 0;
  bool directed = false;

  int64_t id_bytes() const { return nv <= int64_t{1} << 32 ? 4 : 8; }
  int64_t blocks() const { return nv / kCsrBlockVertices + (nv % kCsrBlockVertices != 0 ? 1 : 0); }
  int64_t vertices_of(int64_t block) const {
    return std::min(nv - block * kCsrBlockVertices, int64_t{kCsrBlockVertices});
  }
  int64_t table_end() const { return kCsrHeaderBytes + blocks() * kCsrRowBytes; }
  int64_t bytes() const { return table_end() + nv * kCsrCountBytes + entries * id_bytes(); }
};

void encode_csr_header(const CsrHeader& header, char* to);  // kCsrHeaderBytes bytes

/// Parses the header of a file with `file_bytes` bytes. `bytes` holds the first kCsrHeaderBytes
/// bytes of the file, or the whole file if it is shorter. Returns "" or the problem. If it returns
/// "", a file with the numbers in `header` has `file_bytes` bytes.
std::string parse_csr_header(const char* bytes, int64_t file_bytes, CsrHeader* header);

/// A row of the table.
struct CsrRow {
  uint64_t offset;
  uint64_t checksum;
};
inline int64_t csr_row_at(int64_t block) { return kCsrHeaderBytes + block * kCsrRowBytes; }

/// Reads `bytes` bytes from offset `at`. Returns "" or the problem, which begins with `name`.
std::string read_exactly(int fd, void* to, int64_t bytes, int64_t at, const std::string& name);

/// Returns "" if a block can extend from the offset in `row` to byte `end`, otherwise the problem.
std::string check_csr_row(const CsrHeader& header, int64_t block, const CsrRow& row, uint64_t end);

/// The number of entries of a block. check_csr_row() must have returned "" for the arguments.
inline int64_t entries_of_row(const CsrHeader& header, int64_t block, const CsrRow& row,
                              uint64_t end) {
  const int64_t counts = header.vertices_of(block) * kCsrCountBytes;
  return (static_cast<int64_t>(end - row.offset) - counts) / header.id_bytes();
}

/// Consecutive entries of one list: ascending ids of other vertices of the graph.
template <class Id>
struct CsrPiece {
  VertexID vertex;
  const Id* neighbours;
  int64_t count;
};

/// Reads a block that ends at byte `end` of the file, for which check_csr_row() has returned "".
/// Stores its lengths and its ids, in pieces of at most 256 KiB, and calls `visit` for the entries
/// of each piece. The checksum is checked at the end of the block, so `visit` is also called for a
/// damaged block. Returns the first error, with the block's name and offset, or "". Id: the type of
/// an id in the file.
template <class Id>
std::string read_csr_block(int fd, const CsrHeader& header, int64_t block, const CsrRow& row,
                           uint64_t end, uint32_t* lengths, Id* ids,
                           const std::function<void(const CsrPiece<Id>&)>& visit);

/// Writes the blocks `first` to `end - 1` in pieces of 1 MiB, starting at byte `at` of the file,
/// and writes their rows. Empties the buckets. A `place` in the buckets is relative to the first
/// vertex of these blocks. After each piece, calls `after_piece` with the number of vertices of the
/// block that the piece completes, or 0. If a write fails, returns false and sets errno. Takes 4
/// bytes for each vertex. Id: the type of an id in the file.
template <class Id>
bool write_csr_blocks(int fd, const CsrHeader& header, int64_t first, int64_t end, int64_t at,
                      EntryBuckets<Id>* entries, const std::function<void(int64_t)>& after_piece);

}}  // namespace Grappa::detail
