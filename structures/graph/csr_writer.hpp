#pragma once

/// Writing consecutive blocks of a saved graph (csr_format.hpp), in pieces of 1 MiB, from entries
/// that lie in buckets (entry_buckets.hpp): the buckets are emptied meanwhile.
///
///     writer.begin(count);
///     while (writer.write_some()) ...;  // for each block
///     if (!writer.finish(table)) ...;   // once
///
/// From: any. Calls keep their processor until the kernel has answered.

#include "structures/graph/checksum.hpp"
#include "structures/graph/csr_format.hpp"
#include "structures/graph/entry_buckets.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// Id: what an id is in the file, uint32_t or uint64_t.
template <class Id>
class CsrWriter {
 public:
  /// To byte `at` of a file and what follows. By place, `lengths` has how many entries there are.
  CsrWriter(int fd, int64_t at, const std::vector<uint32_t>& lengths, EntryBuckets<Id>* entries);
  CsrWriter(const CsrWriter&) = delete;
  CsrWriter& operator=(const CsrWriter&) = delete;

  /// Begins the block of the next `count` places.
  void begin(int64_t count);

  /// Writes some of it. False at its end, or if it cannot be written.
  bool write_some();

  /// After the last block: writes what is left, and their rows to byte `table`. False and errno if
  /// anything could not be written.
  bool finish(int64_t table);

 private:
  void put(const void* bytes, size_t size);
  void sum_up();
  void flush();
  Id next_id();

  const int fd_;
  int64_t at_;               // of bytes_ in the file
  const uint32_t* lengths_;  // of the next block
  EntryBuckets<Id>* entries_;
  int64_t left_ = 0;  // of the entries of this block
  int error_ = 0;

  std::vector<char> bytes_;
  size_t summed_ = 0;  // of bytes_: in the checksum, or of a block before
  Checksum checksum_;
  std::vector<CsrRow> rows_;

  const std::vector<ListEntry<Id>> none_;
  const std::vector<ListEntry<Id>>* sorted_ = &none_;  // of the bucket before bucket_
  size_t bucket_ = 0;
  size_t used_ = 0;  // of sorted_
};

extern template class CsrWriter<uint32_t>;
extern template class CsrWriter<uint64_t>;

}  // namespace detail
}  // namespace Grappa
