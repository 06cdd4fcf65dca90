#pragma once

/// The byte format of a saved graph (csr.hpp). All numbers are little-endian and unsigned.
///
///     header   56 bytes: magic "\x89Grappa\n"; 4 bytes each: version, id_bytes, directed (0 or 1),
///              block_vertices; 8 bytes each: nv, entries, blocks, checksum of the 48 bytes before
///     table    for each block its offset and its checksum, 8 bytes each
///     blocks   each holds 2^16 consecutive vertices, the last one the rest: first the
///              length of each list, 4 bytes each; then the lists of ascending ids, id_bytes each
///
/// An id has 4 bytes if all ids of the graph fit in 4 bytes, otherwise 8. Blocks follow each other
/// without gaps, and the last block ends at the end of the file. So equal graphs make equal files
/// on any number of cores. A checksum covers each byte whose value is not fixed.
///
/// From: any thread, also without a job, except that a function that gets a piece of a block may
/// suspend. Calls that read or write files block in the kernel.

#include "structures/graph/csr/entry_buckets.hpp"
#include "structures/graph/edge.hpp"
#include "system/base/ids.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct XXH3_state_s;

namespace Grappa {
namespace detail {

/// An incremental checksum of bytes: XXH3, 64 bits (Y. Collet, xxHash, 2019; its values are fixed
/// since version 0.8.0). The checksum detects accidental damage, but not deliberate changes.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(const Checksum&) = delete;
  Checksum& operator=(const Checksum&) = delete;

  void add(const void* bytes, size_t size);

  /// The checksum of all bytes so far.
  uint64_t value() const;

 private:
  XXH3_state_s* state_;
};

uint64_t checksum_of(const void* bytes, size_t size);

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

/// The blocks that each core writes and reads: equal numbers of consecutive blocks, and core 0 has
/// the first ones.
class CsrShares {
 public:
  CsrShares(const CsrHeader& header, Core cores)
      : nv_(header.nv),
        blocks_(header.blocks()),
        each_(std::max<int64_t>((blocks_ + cores - 1) / cores, 1)) {}

  int64_t first_block(Core core) const { return std::min(core * each_, blocks_); }
  int64_t end_block(Core core) const { return std::min((core + 1) * each_, blocks_); }
  VertexID first_vertex(Core core) const {
    return std::min(first_block(core) << kLogCsrBlock, nv_);
  }
  int64_t vertices(Core core) const {
    return std::min(end_block(core) << kLogCsrBlock, nv_) - first_vertex(core);
  }

  Core core_of(VertexID v) const { return static_cast<Core>((v >> kLogCsrBlock) / each_); }

 private:
  int64_t nv_;
  int64_t blocks_;
  int64_t each_;
};

/// Writes kCsrHeaderBytes bytes to `to`.
void encode_csr_header(const CsrHeader& header, char* to);

/// Parses the header of a file with `file_bytes` bytes. `bytes` holds the first kCsrHeaderBytes
/// bytes of the file, or the whole file if it is shorter. Returns "", or the problem. If parsing
/// succeeds, a file with the numbers in `header` has exactly `file_bytes` bytes.
std::string parse_csr_header(const char* bytes, int64_t file_bytes, CsrHeader* header);

struct CsrRow {
  uint64_t offset;
  uint64_t checksum;
};

/// Reads the bytes `at` to `at + bytes - 1` of a file. Returns "" or the problem, which begins with
/// `name`.
std::string read_exactly(int fd, void* to, int64_t bytes, int64_t at, const std::string& name);

/// Consecutive entries of one list. Each id exists in the graph and is not the vertex itself, the
/// ids of a list ascend, and their number does not exceed the size of the block.
struct CsrPiece {
  VertexID vertex;
  const VertexID* neighbours;  // valid during the call
  int64_t count;
};

/// Reads a block that ends at byte `end` of the file, in pieces of 512 KiB at most, and calls
/// `visit` for the entries. Returns the first error, with the block's name and offset, or "" for a
/// valid block. The checksum is checked only at the end of the block, so `visit` may get entries of
/// a damaged block.
std::string read_csr_block(int fd, const CsrHeader& header, int64_t block, const CsrRow& row,
                           uint64_t end, const std::function<void(const CsrPiece&)>& visit);

/// Writes consecutive blocks, in pieces of 1 MiB. The entries come from buckets, and the writer
/// empties the buckets. Id: the type of an id in the file, uint32_t or uint64_t.
template <class Id>
class CsrWriter {
 public:
  /// The blocks are written from byte `at` of the file on. `lengths` holds the length of each list.
  CsrWriter(int fd, int64_t at, const std::vector<uint32_t>& lengths, EntryBuckets<Id>* entries);
  CsrWriter(const CsrWriter&) = delete;
  CsrWriter& operator=(const CsrWriter&) = delete;

  /// Writes the block of the next `count` lists, and calls `after_piece` between pieces. After a
  /// failed write, nothing more is written.
  void write_block(int64_t count, const std::function<void()>& after_piece);

  /// Call after the last block: writes the rows of the blocks at byte `table`. If any write failed,
  /// returns false and sets errno.
  bool finish(int64_t table);

 private:
  void put(const void* bytes, size_t size);
  void flush(Checksum* checksum);
  Id next_id();

  const int fd_;
  int64_t at_;               // offset of bytes_ in the file
  const uint32_t* lengths_;  // lengths of the next block
  EntryBuckets<Id>* entries_;
  int error_ = 0;
  std::vector<char> bytes_;
  std::vector<CsrRow> rows_;

  const std::vector<ListEntry<Id>> none_;
  const std::vector<ListEntry<Id>>* sorted_ = &none_;  // the bucket before bucket_
  size_t bucket_ = 0;
  size_t used_ = 0;  // consumed entries of sorted_
};

extern template class CsrWriter<uint32_t>;
extern template class CsrWriter<uint64_t>;

}  // namespace detail
}  // namespace Grappa
