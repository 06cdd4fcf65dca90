#include "structures/graph/file/csr_block.hpp"

#include "structures/graph/file/open_file.hpp"

#include <algorithm>
#include <cerrno>
#include <numeric>

namespace Grappa {
namespace detail {
namespace {

constexpr int64_t kPieceIds = 1 << 16;           // of a read
constexpr size_t kPieceBytes = size_t{1} << 20;  // of a write

// The bytes of a block that have not been read. Functions return "" or the problem.
class BlockBytes {
 public:
  BlockBytes(int fd, const CsrHeader& header, int64_t block, const CsrRow& row, uint64_t end)
      : fd_(fd),
        id_bytes_(header.id_bytes()),
        name_(csr_block_name(header, block, row.offset)),
        right_checksum_(row.checksum),
        at_(static_cast<int64_t>(row.offset)),
        end_(static_cast<int64_t>(end)) {}

  int64_t ids_left() const { return (end_ - at_) / id_bytes_; }

  template <class T>
  std::string read(std::vector<T>* to) {
    const auto bytes = static_cast<int64_t>(to->size() * sizeof(T));
    const std::string problem = read_exactly(fd_, to->data(), bytes, at_, name_);
    if (problem.empty()) checksum_.add(to->data(), static_cast<size_t>(bytes));
    at_ += bytes;
    return problem;
  }

  // Reads a piece.
  std::string read_ids(std::vector<VertexID>* ids) {
    const auto count = static_cast<size_t>(std::min(kPieceIds, ids_left()));
    if (id_bytes_ == sizeof(VertexID)) {
      ids->resize(count);
      return read(ids);
    }
    std::vector<uint32_t> narrow(count);
    const std::string problem = read(&narrow);
    ids->assign(narrow.begin(), narrow.end());
    return problem;
  }

  // All bytes have been read.
  std::string check_checksum() const {
    if (checksum_.value() == right_checksum_) return "";
    return name_ + " is damaged: its checksum does not match the table";
  }

  // Damaged bytes can cause any error. So this function first reads the rest of the block: if the
  // checksum does not match, it returns only the damage, otherwise `what`.
  std::string distrust(const std::string& what) {
    for (std::vector<VertexID> rest; at_ < end_;) {
      const std::string problem = read_ids(&rest);
      if (!problem.empty()) return problem;
    }
    const std::string damage = check_checksum();
    return damage.empty() ? name_ + " " + what : damage;
  }

 private:
  const int fd_;
  const int64_t id_bytes_;
  const std::string name_;
  const uint64_t right_checksum_;
  int64_t at_;  // offset in the file
  const int64_t end_;
  Checksum checksum_;
};

// Checks entries of one list; `last` is the entry before. Returns "" or the problem.
std::string check_piece(const CsrHeader& header, const CsrPiece& piece, VertexID last) {
  for (int64_t k = 0; k < piece.count; ++k) {
    const VertexID id = piece.neighbours[k];
    if (id <= last || id >= header.nv || id == piece.vertex) {
      return "has the neighbour " + std::to_string(static_cast<uint64_t>(id)) + " of vertex " +
             std::to_string(piece.vertex) +
             (id < 0 || id >= header.nv ? ", which does not exist"
              : id == piece.vertex      ? ", which is the vertex itself"
                                        : ", but the list is not in ascending order");
    }
    last = id;
  }
  return "";
}

}  // namespace

std::string read_exactly(int fd, void* to, int64_t bytes, int64_t at, const std::string& name) {
  const int64_t got = read_fully(fd, static_cast<char*>(to), bytes, at);
  if (got == bytes) return "";
  return got < 0 ? with_errno(name + " cannot be read")
                 : name + " ends at byte " + std::to_string(at + got) +
                       ": the file was truncated while it was read";
}

std::string read_csr_block(int fd, const CsrHeader& header, int64_t block, const CsrRow& row,
                           uint64_t end, const std::function<void(const CsrPiece&)>& visit) {
  std::string problem = check_csr_row(header, block, row, end);
  if (!problem.empty()) return problem;
  BlockBytes bytes(fd, header, block, row, end);
  std::vector<uint32_t> counts(static_cast<size_t>(header.vertices_of(block)));
  problem = bytes.read(&counts);
  if (!problem.empty()) return problem;
  const int64_t entries = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  if (entries != bytes.ids_left()) {
    return bytes.distrust("has lists of " + std::to_string(entries) + " entries, but space for " +
                          std::to_string(bytes.ids_left()));
  }
  std::vector<VertexID> ids;
  size_t used = 0;
  VertexID vertex = block * kCsrBlockVertices;
  for (const uint32_t count : counts) {
    VertexID last = -1;
    for (int64_t left = count; left != 0;) {
      if (used == ids.size()) {
        problem = bytes.read_ids(&ids);
        if (!problem.empty()) return problem;
        used = 0;
      }
      const CsrPiece piece = {vertex, &ids[used], std::min(left, int64_t(ids.size() - used))};
      problem = check_piece(header, piece, last);
      if (!problem.empty()) return bytes.distrust(problem);
      visit(piece);
      last = piece.neighbours[piece.count - 1];
      left -= piece.count;
      used += static_cast<size_t>(piece.count);
    }
    ++vertex;
  }
  return bytes.check_checksum();
}

template <class Id>
CsrWriter<Id>::CsrWriter(int fd, int64_t at, const std::vector<uint32_t>& lengths,
                         EntryBuckets<Id>* entries)
    : fd_(fd), at_(at), lengths_(lengths.data()), entries_(entries) {
  bytes_.reserve(kPieceBytes + sizeof(uint32_t) * kCsrBlockVertices);
}

template <class Id>
void CsrWriter<Id>::write_block(int64_t count, const std::function<void()>& after_piece) {
  Checksum checksum;
  const uint64_t offset = static_cast<uint64_t>(at_);
  put(lengths_, static_cast<size_t>(count) * sizeof *lengths_);
  int64_t left = std::accumulate(lengths_, lengths_ + count, int64_t{0});
  lengths_ += count;
  for (; left > 0 && error_ == 0; --left) {
    const Id id = next_id();
    put(&id, sizeof id);
    if (bytes_.size() < kPieceBytes) continue;
    flush(&checksum);
    after_piece();
  }
  flush(&checksum);
  rows_.push_back(CsrRow{offset, checksum.value()});
}

template <class Id>
bool CsrWriter<Id>::finish(int64_t table) {
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
void CsrWriter<Id>::flush(Checksum* checksum) {
  checksum->add(bytes_.data(), bytes_.size());
  if (error_ == 0 && !write_fully(fd_, bytes_.data(), int64_t(bytes_.size()), at_)) error_ = errno;
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
