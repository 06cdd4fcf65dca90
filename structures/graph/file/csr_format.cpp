#include "structures/graph/file/csr_format.hpp"

#include "structures/graph/file/open_file.hpp"
#include "system/base/check.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <xxhash.h>

namespace Grappa::detail {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "numbers are written in memory order, and the file is little-endian");

constexpr char kMagic[8] = {'\x89', 'G', 'r', 'a', 'p', 'p', 'a', '\n'};
constexpr uint32_t kVersion = 1;
constexpr uint64_t kMostBytes = uint64_t{1} << 60;

struct RawHeader {
  char magic[8];
  uint32_t version;
  uint32_t id_bytes;
  uint32_t directed;
  uint32_t block_vertices;
  uint64_t nv;
  uint64_t entries;
  uint64_t blocks;
  uint64_t checksum;  // the checksum of all fields before this one
};
static_assert(sizeof(RawHeader) == kCsrHeaderBytes, "no padding");
static_assert(sizeof(CsrRow) == kCsrRowBytes, "no padding");

uint64_t checksum_of_header(const RawHeader& raw) {
  return checksum_of(&raw, offsetof(RawHeader, checksum));
}

RawHeader raw_header(const CsrHeader& header) {
  RawHeader raw = {};
  std::memcpy(raw.magic, kMagic, sizeof kMagic);
  raw.version = kVersion;
  raw.id_bytes = static_cast<uint32_t>(header.id_bytes());
  raw.directed = header.directed ? 1 : 0;
  raw.block_vertices = static_cast<uint32_t>(kCsrBlockVertices);
  raw.nv = static_cast<uint64_t>(header.nv);
  raw.entries = static_cast<uint64_t>(header.entries);
  raw.blocks = static_cast<uint64_t>(header.blocks());
  raw.checksum = checksum_of_header(raw);
  return raw;
}

// Checks numbers whose checksum is correct: a forged file may still hold inconsistent numbers.
std::string check_numbers(const RawHeader& raw, int64_t file_bytes) {
  const std::string graph = "a graph of " + std::to_string(raw.nv) + " vertices and " +
                            std::to_string(raw.entries) + " entries";
  const std::string size = std::to_string(file_bytes) + " bytes";
  // This limit keeps the sums and products below from overflowing.
  const uint64_t most = std::min(static_cast<uint64_t>(file_bytes), kMostBytes);
  if (raw.nv > most / kCsrCountBytes || raw.entries > most / kCsrCountBytes) {
    return "has " + size + ", too few for " + graph + ", which the header describes";
  }
  CsrHeader header;
  header.nv = static_cast<int64_t>(raw.nv);
  header.entries = static_cast<int64_t>(raw.entries);
  header.directed = raw.directed != 0;
  const RawHeader right = raw_header(header);
  if (std::memcmp(&raw, &right, sizeof raw) != 0) {
    return "the header is not consistent with " + graph;
  }
  if (header.bytes() != file_bytes) {
    return "has " + size + ", expected " + std::to_string(header.bytes()) + " for " + graph +
           (file_bytes < header.bytes() ? ": the file is truncated"
                                        : ": the end of the file has extra bytes");
  }
  if (header.entries > 0 && (header.nv == 0 || (header.entries - 1) / header.nv >= header.nv - 1)) {
    return "the header describes " + graph + ": more entries than such a graph can have";
  }
  return "";
}

}  // namespace

Checksum::Checksum() : state_(XXH3_createState()) {
  GRAPPA_CHECK(state_ != nullptr) << "no memory for a checksum";
  XXH3_64bits_reset(state_);
}

Checksum::~Checksum() { XXH3_freeState(state_); }

void Checksum::add(const void* bytes, size_t size) { XXH3_64bits_update(state_, bytes, size); }

uint64_t Checksum::value() const { return XXH3_64bits_digest(state_); }

uint64_t checksum_of(const void* bytes, size_t size) { return XXH3_64bits(bytes, size); }

void encode_csr_header(const CsrHeader& header, char* to) {
  const RawHeader raw = raw_header(header);
  std::memcpy(to, &raw, sizeof raw);
}

std::string parse_csr_header(const char* bytes, int64_t file_bytes, CsrHeader* header) {
  if (file_bytes < int64_t{sizeof kMagic} || std::memcmp(bytes, kMagic, sizeof kMagic) != 0) {
    return "is not a saved graph: the magic number does not match";
  }
  if (file_bytes < kCsrHeaderBytes) {
    return "has " + std::to_string(file_bytes) + " bytes, too few for the header of a saved graph";
  }
  RawHeader raw;
  std::memcpy(&raw, bytes, sizeof raw);
  if (raw.version != kVersion) {
    return "is a saved graph of version " + std::to_string(raw.version) + ", expected version " +
           std::to_string(kVersion);
  }
  if (raw.checksum != checksum_of_header(raw)) {
    return "the header at byte 0 is damaged: its checksum does not match";
  }
  const std::string wrong = check_numbers(raw, file_bytes);
  if (!wrong.empty()) return wrong;
  header->nv = static_cast<int64_t>(raw.nv);
  header->entries = static_cast<int64_t>(raw.entries);
  header->directed = raw.directed != 0;
  return "";
}

namespace {

constexpr int64_t kPieceIds = 1 << 16;           // of a read
constexpr size_t kPieceBytes = size_t{1} << 20;  // of a write

// Checks a block that begins at the offset in `row` and ends at byte `end` of the file. Returns ""
// if such a block is possible, otherwise the problem. `header` has been parsed.
std::string check_csr_row(const CsrHeader& header, int64_t block, const CsrRow& row, uint64_t end) {
  const uint64_t counts = static_cast<uint64_t>(header.vertices_of(block) * kCsrCountBytes);
  const uint64_t first = static_cast<uint64_t>(header.table_end());
  const uint64_t id_bytes = static_cast<uint64_t>(header.id_bytes());
  const bool begins = block == 0 ? row.offset == first : row.offset >= first;
  if (begins && row.offset <= end && end - row.offset >= counts &&
      end <= static_cast<uint64_t>(header.bytes()) && (end - row.offset - counts) % id_bytes == 0) {
    return "";
  }
  return "the table at byte " + std::to_string(kCsrHeaderBytes + block * kCsrRowBytes) +
         " has an invalid range for block " + std::to_string(block) + ": bytes " +
         std::to_string(row.offset) + " to " + std::to_string(end);
}

// "block 3 (vertices 196608 to 262143) at byte 1234".
std::string csr_block_name(const CsrHeader& header, int64_t block, uint64_t offset) {
  const int64_t first = block * kCsrBlockVertices;
  return "block " + std::to_string(block) + " (vertices " + std::to_string(first) + " to " +
         std::to_string(first + header.vertices_of(block) - 1) + ") at byte " +
         std::to_string(offset);
}

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

}  // namespace Grappa::detail
