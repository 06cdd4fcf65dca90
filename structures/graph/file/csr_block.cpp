#include "structures/graph/file/csr_block.hpp"

#include "structures/graph/file/open_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

namespace Grappa {
namespace detail {
namespace {

constexpr int64_t kPieceIds = 1 << 16;

template <class Id>
void widen(const std::vector<char>& bytes, std::vector<VertexID>* ids) {
  ids->resize(bytes.size() / sizeof(Id));
  for (size_t k = 0; k < ids->size(); ++k) {
    Id id;
    std::memcpy(&id, &bytes[k * sizeof(Id)], sizeof(Id));
    (*ids)[k] = static_cast<VertexID>(id);
  }
}

}  // namespace

void CsrBlockReader::open(int64_t block, const CsrRow& row, uint64_t end) {
  block_ = block;
  row_ = row;
  position_ = 0;
  left_ = 0;
  ids_.clear();
  used_ = 0;
  counts_.clear();
  checksum_.reset();
  at_ = end_ = 0;
  problem_ = check_csr_row(header_, block, row, end);
  if (!problem_.empty()) return;
  at_ = static_cast<int64_t>(row.offset);
  end_ = static_cast<int64_t>(end);
  read_counts();
}

bool CsrBlockReader::read(void* to, int64_t bytes) {
  const int64_t got = read_fully(fd_, static_cast<char*>(to), bytes, at_);
  if (got != bytes) {
    problem_ = csr_block_name(header_, block_, row_.offset) +
               (got < 0 ? std::string(" cannot be read: ") + std::strerror(errno)
                        : " ends at byte " + std::to_string(at_ + got) +
                              ": the file was truncated while it was read");
    return false;
  }
  checksum_.add(to, static_cast<size_t>(bytes));
  at_ += bytes;
  return true;
}

void CsrBlockReader::read_counts() {
  counts_.resize(static_cast<size_t>(header_.vertices_of(block_)));
  if (!read(counts_.data(), int64_t(counts_.size()) * kCsrCountBytes)) return;
  const int64_t entries = std::accumulate(counts_.begin(), counts_.end(), int64_t{0});
  const int64_t room = (end_ - at_) / header_.id_bytes();
  if (entries != room) {
    distrust("has lists of " + std::to_string(entries) + " entries, but space for " +
             std::to_string(room));
    return;
  }
  left_ = counts_[0];
  last_ = -1;
}

bool CsrBlockReader::read_ids() {
  const int64_t room = (end_ - at_) / header_.id_bytes();
  bytes_.resize(static_cast<size_t>(std::min(kPieceIds, room) * header_.id_bytes()));
  used_ = 0;
  ids_.clear();
  if (!read(bytes_.data(), int64_t(bytes_.size()))) return false;
  if (header_.id_bytes() == 4) {
    widen<uint32_t>(bytes_, &ids_);
  } else {
    widen<uint64_t>(bytes_, &ids_);
  }
  return true;
}

bool CsrBlockReader::next(Piece* piece) {
  if (!problem_.empty()) return false;
  while (left_ == 0) {
    if (++position_ == counts_.size()) {
      check_checksum();
      return false;
    }
    left_ = counts_[position_];
    last_ = -1;
  }
  if (used_ == ids_.size() && !read_ids()) return false;
  piece->vertex = block_ * kCsrBlockVertices + int64_t(position_);
  piece->neighbours = &ids_[used_];
  piece->count = std::min(left_, int64_t(ids_.size() - used_));
  used_ += static_cast<size_t>(piece->count);
  left_ -= piece->count;
  return check(*piece);
}

bool CsrBlockReader::check(const Piece& piece) {
  for (int64_t k = 0; k < piece.count; ++k) {
    const VertexID id = piece.neighbours[k];
    if (id > last_ && id < header_.nv && id != piece.vertex) {
      last_ = id;
      continue;
    }
    distrust("has the neighbour " + std::to_string(static_cast<uint64_t>(id)) + " of vertex " +
             std::to_string(piece.vertex) +
             (id < 0 || id >= header_.nv ? ", which does not exist"
              : id == piece.vertex       ? ", which is the vertex itself"
                                         : ", but the list is not in ascending order"));
    return false;
  }
  return true;
}

// Damaged bytes can cause any of the errors above. So this function first reads the rest of the
// block: if the checksum does not match, it reports only the damage, otherwise it reports `what`.
void CsrBlockReader::distrust(const std::string& what) {
  while (at_ < end_) {
    if (!read_ids()) return;
  }
  check_checksum();
  if (problem_.empty()) problem_ = csr_block_name(header_, block_, row_.offset) + " " + what;
}

void CsrBlockReader::check_checksum() {
  if (checksum_.value() == row_.checksum) return;
  problem_ = csr_block_name(header_, block_, row_.offset) +
             " is damaged: its checksum does not match the table";
}

}  // namespace detail
}  // namespace Grappa
