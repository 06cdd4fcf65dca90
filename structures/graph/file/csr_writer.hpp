#pragma once

/// Writing consecutive blocks of a saved graph (csr_format.hpp), in pieces of 1 MiB. The entries
/// come from buckets (entry_buckets.hpp), and the writer empties the buckets.
///
///     writer.begin(count);
///     while (writer.write_some()) ...;  // for each block
///     if (!writer.finish(table)) ...;   // once
///
/// From: any thread. Calls block in the kernel during the write.

#include "structures/graph/csr/entry_buckets.hpp"
#include "structures/graph/file/checksum.hpp"
#include "structures/graph/file/csr_format.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

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
