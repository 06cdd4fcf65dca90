#pragma once

/// The bytes of a saved graph (csr_file.hpp), all numbers little-endian and unsigned:
///
///     header   56 bytes: magic "\x89Grappa\n"; 4 bytes each: version, id_bytes, directed (0 or 1),
///              block_vertices; 8 bytes each: nv, entries, blocks, checksum of the 48 bytes before
///     table    of each block its offset and its checksum, 8 bytes each
///     blocks   of 2^16 consecutive vertices, the last one of the rest: the length of each list, 4
///              bytes each; then the lists, ascending ids of id_bytes each
///
/// An id has 4 bytes if all ids of the graph fit, else 8. Blocks follow each other without gaps and
/// end where the file does. So every byte follows from the graph: equal graphs make equal files,
/// whoever writes them, and each byte is covered by a checksum or can be only one.
///
/// Nothing here reads a file or needs a job. From: any.

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

constexpr int64_t kCsrHeaderBytes = 56;
constexpr int64_t kCsrRowBytes = 16;
constexpr int64_t kCsrCountBytes = 4;
constexpr int kLogCsrBlock = 16;
constexpr int64_t kCsrBlockVertices = int64_t{1} << kLogCsrBlock;

struct CsrHeader {
  int64_t nv = 0;
  int64_t entries = 0;
  bool directed = false;

  int64_t id_bytes() const { return nv <= int64_t{1} << 32 ? 4 : 8; }
  int64_t blocks() const { return nv / kCsrBlockVertices + (nv % kCsrBlockVertices != 0 ? 1 : 0); }
  int64_t vertices_of(int64_t block) const {
    const int64_t left = nv - block * kCsrBlockVertices;
    return left < kCsrBlockVertices ? left : kCsrBlockVertices;
  }
  int64_t table_end() const { return kCsrHeaderBytes + blocks() * kCsrRowBytes; }
  int64_t bytes() const { return table_end() + nv * kCsrCountBytes + entries * id_bytes(); }
};

/// Writes kCsrHeaderBytes.
void encode_csr_header(const CsrHeader& header, char* to);

/// Reads the header of a file of `file_bytes`, of which `bytes` are the first kCsrHeaderBytes, or
/// all if it has fewer. Returns "", or what is wrong with it. A header that is returned has numbers
/// of vertices and entries that make a file of exactly that size.
std::string parse_csr_header(const char* bytes, int64_t file_bytes, CsrHeader* header);

/// One row of the table.
struct CsrRow {
  uint64_t offset;
  uint64_t checksum;
};

/// What is wrong with a block that begins where `row` says and ends at byte `end` of the file; ""
/// if there may be such a block. `header` has been parsed.
std::string check_csr_row(const CsrHeader& header, int64_t block, const CsrRow& row, uint64_t end);

/// "block 3 (vertices 196608 to 262143) at byte 1234".
std::string csr_block_name(const CsrHeader& header, int64_t block, uint64_t offset);

}  // namespace detail
}  // namespace Grappa
