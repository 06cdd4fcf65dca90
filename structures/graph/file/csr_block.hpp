#pragma once

/// Reading and writing the blocks of a saved graph (csr_format.hpp) one after another, in pieces.
///
/// From: any thread. Calls block in the kernel during the read or write.

#include "structures/graph/csr/entry_buckets.hpp"
#include "structures/graph/edge.hpp"
#include "structures/graph/file/csr_format.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// Reads the bytes `at` to `at + bytes - 1` of a file. Returns "" or the problem, which begins with
/// `name`.
std::string read_exactly(int fd, void* to, int64_t bytes, int64_t at, const std::string& name);

/// Reads blocks with validation, in pieces of 512 KiB.
///
/// The entries that `next` returns are valid: each id exists in the graph, the ids of a list
/// ascend, no id is the vertex itself, and their number does not exceed the size of the block. The
/// checksum is checked only at the end of the block, so `next` may return entries of a damaged
/// block.
///
///     reader.open(block, row, end);
///     while (reader.next(&piece)) ...;
///     if (!reader.problem().empty()) ...;
class CsrBlockReader {
 public:
  /// Consecutive entries of one list.
  struct Piece {
    VertexID vertex;
    const VertexID* neighbours;  // valid until the next call
    int64_t count;
  };

  CsrBlockReader(int fd, const CsrHeader& header) : fd_(fd), header_(header) {}

  /// Begins a block that ends at byte `end` of the file.
  void open(int64_t block, const CsrRow& row, uint64_t end);

  /// Returns false at the end of the block, or after an error.
  bool next(Piece* piece);

  /// The error in the block, with the block's name and offset; "" if there is none.
  const std::string& problem() const { return problem_; }

 private:
  bool read(void* to, int64_t bytes);
  bool read_ids();
  void read_counts();
  void check_checksum();
  bool check(const Piece& piece);
  void distrust(const std::string& what);

  const int fd_;
  const CsrHeader header_;
  int64_t block_ = 0;
  CsrRow row_ = {0, 0};
  int64_t at_ = 0;   // offset in the file
  int64_t end_ = 0;  // end of the block
  Checksum checksum_;
  std::string problem_;

  std::vector<uint32_t> counts_;
  size_t position_ = 0;  // the vertex whose list is being read
  int64_t left_ = 0;     // entries left in this list
  VertexID last_ = -1;   // the last id of this list
  std::vector<char> bytes_;
  std::vector<VertexID> ids_;
  size_t used_ = 0;  // consumed ids of ids_
};

/// Writes consecutive blocks, in pieces of 1 MiB. The entries come from buckets, and the writer
/// empties the buckets.
///
///     writer.begin(count);
///     while (writer.write_some()) ...;  // for each block
///     if (!writer.finish(table)) ...;   // once
///
/// Id: the type of an id in the file, uint32_t or uint64_t.
template <class Id>
class CsrWriter {
 public:
  /// The blocks are written from byte `at` of the file on. `lengths` holds the length of each list.
  CsrWriter(int fd, int64_t at, const std::vector<uint32_t>& lengths, EntryBuckets<Id>* entries);
  CsrWriter(const CsrWriter&) = delete;
  CsrWriter& operator=(const CsrWriter&) = delete;

  /// Begins the block of the next `count` lists.
  void begin(int64_t count);

  /// Writes a piece of the block. Returns false at the end of the block, or if a write failed.
  bool write_some();

  /// Call after the last block: writes the remaining bytes, and the rows of the blocks at byte
  /// `table`. If any write failed, returns false and sets errno.
  bool finish(int64_t table);

 private:
  void put(const void* bytes, size_t size);
  void sum_up();
  void flush();
  Id next_id();

  const int fd_;
  int64_t at_;               // offset of bytes_ in the file
  const uint32_t* lengths_;  // lengths of the next block
  EntryBuckets<Id>* entries_;
  int64_t left_ = 0;  // entries left in this block
  int error_ = 0;

  std::vector<char> bytes_;
  size_t summed_ = 0;  // bytes_ before this index are in a checksum
  Checksum checksum_;
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
