#pragma once

/// Reading and writing the blocks of a saved graph (csr_format.hpp) one after another, in pieces.
///
/// From: any thread, except that a function that gets a piece may suspend. Calls block in the
/// kernel during the read or write.

#include "structures/graph/csr/entry_buckets.hpp"
#include "structures/graph/edge.hpp"
#include "structures/graph/file/csr_format.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

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
/// `visit` for the entries. Returns the first error, with the block's name and offset; "" if there
/// is none. The checksum is checked only at the end of the block, so `visit` may get entries of a
/// damaged block.
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
