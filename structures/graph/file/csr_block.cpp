#include "structures/graph/file/csr_block.hpp"

#include "structures/graph/file/open_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

namespace Grappa {
namespace detail {
namespace {

constexpr int64_t kPieceIds = 1 << 16;           // of a read
constexpr size_t kPieceBytes = size_t{1} << 20;  // of a write

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

std::string read_exactly(int fd, void* to, int64_t bytes, int64_t at, const std::string& name) {
  const int64_t got = read_fully(fd, static_cast<char*>(to), bytes, at);
  if (got == bytes) return "";
  return got < 0 ? with_errno(name + " cannot be read")
                 : name + " ends at byte " + std::to_string(at + got) +
                       ": the file was truncated while it was read";
}

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
  const std::string name = csr_block_name(header_, block_, row_.offset);
  problem_ = read_exactly(fd_, to, bytes, at_, name);
  if (!problem_.empty()) return false;
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

template <class Id>
CsrWriter<Id>::CsrWriter(int fd, int64_t at, const std::vector<uint32_t>& lengths,
                         EntryBuckets<Id>* entries)
    : fd_(fd), at_(at), lengths_(lengths.data()), entries_(entries) {
  bytes_.reserve(kPieceBytes + sizeof(uint32_t) * kCsrBlockVertices);
}

template <class Id>
void CsrWriter<Id>::begin(int64_t count) {
  rows_.push_back(CsrRow{static_cast<uint64_t>(at_ + int64_t(bytes_.size())), 0});
  checksum_.reset();
  if (error_ == 0) put(lengths_, static_cast<size_t>(count) * sizeof *lengths_);
  left_ = std::accumulate(lengths_, lengths_ + count, int64_t{0});
  lengths_ += count;
}

template <class Id>
bool CsrWriter<Id>::write_some() {
  if (error_ != 0) return false;
  for (; left_ > 0 && bytes_.size() < kPieceBytes; --left_) {
    const Id id = next_id();
    put(&id, sizeof id);
  }
  if (bytes_.size() >= kPieceBytes) flush();
  if (left_ > 0) return true;
  sum_up();
  rows_.back().checksum = checksum_.value();
  return false;
}

template <class Id>
bool CsrWriter<Id>::finish(int64_t table) {
  flush();
  if (error_ == 0 && !write_fully(fd_, reinterpret_cast<const char*>(rows_.data()),
                                  int64_t(rows_.size()) * kCsrRowBytes, table)) {
    error_ = errno;
  }
  errno = error_;
  return error_ == 0;
}

template <class Id>
void CsrWriter<Id>::put(const void* bytes, size_t size) {
  const char* const from = static_cast<const char*>(bytes);
  bytes_.insert(bytes_.end(), from, from + size);
}

template <class Id>
void CsrWriter<Id>::sum_up() {
  checksum_.add(bytes_.data() + summed_, bytes_.size() - summed_);
  summed_ = bytes_.size();
}

template <class Id>
void CsrWriter<Id>::flush() {
  sum_up();
  summed_ = 0;
  if (!write_fully(fd_, bytes_.data(), int64_t(bytes_.size()), at_)) error_ = errno;
  at_ += int64_t(bytes_.size());
  bytes_.clear();
}

template <class Id>
Id CsrWriter<Id>::next_id() {
  while (used_ == sorted_->size()) {
    sorted_ = &entries_->take_sorted(bucket_++);
    used_ = 0;
  }
  return (*sorted_)[used_++].neighbour;
}

template class CsrWriter<uint32_t>;
template class CsrWriter<uint64_t>;

}  // namespace detail
}  // namespace Grappa
