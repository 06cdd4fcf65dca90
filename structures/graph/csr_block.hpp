#pragma once

/// Reading one block after another of a saved graph (csr_format.hpp), and looking whether it can be
/// trusted. A block is read in pieces of 512 KiB, whatever the file says of its size.
///
/// What comes out before the end of a block has ids of the graph, ascending in each list and not
/// those of the vertex itself, and no more entries than the block has room for. Whether its
/// checksum is right is known at its end: a block that is wrong may have given entries before.
///
///     reader.open(block, row, end);
///     while (reader.next(&piece)) ...;
///     if (!reader.problem().empty()) ...;
///
/// From: any. Calls keep their processor until the kernel has answered.

#include "structures/graph/checksum.hpp"
#include "structures/graph/csr_format.hpp"
#include "structures/graph/edge.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

class CsrBlockReader {
 public:
  /// Some consecutive entries of one list.
  struct Piece {
    VertexID vertex;
    const VertexID* neighbours;  // until the next call
    int64_t count;
  };

  CsrBlockReader(int fd, const CsrHeader& header) : fd_(fd), header_(header) {}

  /// Begins a block that ends at byte `end` of the file.
  void open(int64_t block, const CsrRow& row, uint64_t end);

  /// False at the end of the block, or if something is wrong.
  bool next(Piece* piece);

  /// What is wrong with the block, with its name and place; "" if nothing is.
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
  int64_t at_ = 0;   // in the file
  int64_t end_ = 0;  // of the block
  Checksum checksum_;
  std::string problem_;

  std::vector<uint32_t> counts_;
  size_t place_ = 0;    // the vertex whose list is read
  int64_t left_ = 0;    // of its list
  VertexID last_ = -1;  // of its list
  std::vector<char> bytes_;
  std::vector<VertexID> ids_;
  size_t used_ = 0;  // of ids_
};

}  // namespace detail
}  // namespace Grappa
