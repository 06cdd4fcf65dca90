#pragma once

///
/// Reading the blocks of a saved graph (csr_format.hpp) one after another, with validation. A block
/// is read in pieces of 512 KiB, whatever its size is.
///
/// The entries that `next` returns are valid: each id exists in the graph, the ids of a list
/// ascend, no id is the vertex itself, and their number does not exceed the size of the block. The
/// checksum is checked only at the end of the block, so `next` may return entries of a damaged
/// block.
///
///     reader.open(block, row, end);
///     while (reader.next(&piece)) ...;
///     if (!reader.problem().empty()) ...;
///
/// From: any thread. Calls block in the kernel during the read.

#include "structures/graph/edge.hpp"
#include "structures/graph/file/checksum.hpp"
#include "structures/graph/file/csr_format.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

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

}  // namespace detail
}  // namespace Grappa
