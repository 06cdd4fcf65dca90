#include "structures/graph/file/csr_format.hpp"

#include "structures/text/open_file.hpp"
#include "system/base/check.hpp"

#include <cstring>
#include <memory>
#include <numeric>
#include <xxhash.h>

namespace Grappa::detail {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "numbers are written in memory order, and the file is little-endian");

constexpr char kMagic[8] = {'\x89', 'G', 'r', 'a', 'p', 'p', 'a', '\n'};
constexpr uint32_t kVersion = 1;
constexpr uint64_t kMostBytes = uint64_t{1} << 60;
constexpr int64_t kReadIds = 1 << 16;            // in a piece
constexpr size_t kWriteBytes = size_t{1} << 20;  // in a piece

struct RawHeader {
  char magic[8];
  uint32_t version;
  uint32_t id_bytes;
  uint32_t directed;
  uint32_t block_vertices;
  uint64_t nv;
  uint64_t entries;
  uint64_t blocks;
  uint64_t checksum;  // of all fields before this one
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

// Converts a header whose checksum is correct. Its numbers may still be inconsistent.
std::string convert(const RawHeader& raw, int64_t file_bytes, CsrHeader* header) {
  const std::string graph = "a graph of " + std::to_string(raw.nv) + " vertices and " +
                            std::to_string(raw.entries) + " entries";
  const std::string size = "has " + std::to_string(file_bytes) + " bytes, ";
  // With this limit, sums and products do not overflow.
  const uint64_t most = std::min(static_cast<uint64_t>(file_bytes), kMostBytes) / kCsrCountBytes;
  if (raw.nv > most || raw.entries > most) {
    return size + "too few for " + graph + ", which the header describes";
  }
  header->nv = static_cast<int64_t>(raw.nv);
  header->entries = static_cast<int64_t>(raw.entries);
  header->directed = raw.directed != 0;
  const RawHeader right = raw_header(*header);
  if (std::memcmp(&raw, &right, sizeof raw) != 0) {
    return "the header is not consistent with " + graph;
  }
  if (header->bytes() != file_bytes) {
    return size + "expected " + std::to_string(header->bytes()) + " for " + graph +
           (file_bytes < header->bytes() ? ": the file is truncated"
                                         : ": the end of the file has extra bytes");
  }
  const int64_t nv = header->nv;
  if (header->entries > 0 && (nv == 0 || (header->entries - 1) / nv >= nv - 1)) {
    return "the header describes " + graph + ": more entries than such a graph can have";
  }
  return "";
}

class Checksum {
 public:
  Checksum() : state_(XXH3_createState(), &XXH3_freeState) {
    GRAPPA_CHECK(state_ != nullptr) << "no memory for a checksum";
    XXH3_64bits_reset(state_.get());
  }
  void add(const void* bytes, size_t size) { XXH3_64bits_update(state_.get(), bytes, size); }
  uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

// Checks the lists of a block. The ids arrive in pieces.
template <class Id>
struct BlockLists {
  const CsrHeader& header;
  const std::function<void(const CsrPiece<Id>&)>& visit;
  const uint32_t* next_length;
  VertexID vertex;     // the vertex whose list is being read
  int64_t left = 0;    // remaining entries of this list
  VertexID last = -1;  // latest entry of this list

  // Returns "" or the problem.
  std::string take(const Id* ids, int64_t count) {
    while (count > 0) {
      for (; left == 0; last = -1) {
        left = *next_length++;
        ++vertex;
      }
      const CsrPiece<Id> piece = {vertex, ids, std::min(left, count)};
      if (!is_good(piece)) return problem_of(piece);
      last = static_cast<VertexID>(ids[piece.count - 1]);
      visit(piece);
      left -= piece.count;
      ids += piece.count;
      count -= piece.count;
    }
    return "";
  }

  // The loop has no branch, so that compilers use vector instructions.
  bool is_good(const CsrPiece<Id>& piece) const {
    const Id* const ids = piece.neighbours;
    const Id self = static_cast<Id>(vertex);
    bool bad = static_cast<VertexID>(ids[0]) <= last || ids[0] == self;
    for (int64_t k = 1; k < piece.count; ++k) bad |= (ids[k] <= ids[k - 1]) | (ids[k] == self);
    return !bad && ids[piece.count - 1] < static_cast<uint64_t>(header.nv);
  }

  std::string problem_of(const CsrPiece<Id>& piece) const {
    const auto nv = static_cast<uint64_t>(header.nv);
    uint64_t id = 0;
    VertexID before = last;
    for (int64_t k = 0; k < piece.count; ++k) {
      id = piece.neighbours[k];
      if (id >= nv || VertexID(id) <= before || VertexID(id) == vertex) break;
      before = VertexID(id);
    }
    return "has the neighbour " + std::to_string(id) + " of vertex " + std::to_string(vertex) +
           (id >= nv                 ? ", which does not exist"
            : VertexID(id) == vertex ? ", which is the vertex itself"
                                     : ", but the list is not in ascending order");
  }
};

}  // namespace

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
  return convert(raw, file_bytes, header);
}

std::string read_exactly(int fd, void* to, int64_t bytes, int64_t at, const std::string& name) {
  const int64_t got = read_fully(fd, static_cast<char*>(to), bytes, at);
  if (got == bytes) return "";
  return got < 0 ? with_errno(name + " cannot be read")
                 : name + " ends at byte " + std::to_string(at + got) +
                       ": the file was truncated while it was read";
}

std::string check_csr_row(const CsrHeader& header, int64_t block, const CsrRow& row, uint64_t end) {
  const auto counts = static_cast<uint64_t>(header.vertices_of(block) * kCsrCountBytes);
  const auto first = static_cast<uint64_t>(header.table_end());
  const auto id_bytes = static_cast<uint64_t>(header.id_bytes());
  const bool begins = block == 0 ? row.offset == first : row.offset >= first;
  if (begins && row.offset <= end && end - row.offset >= counts &&
      end <= static_cast<uint64_t>(header.bytes()) && (end - row.offset - counts) % id_bytes == 0) {
    return "";
  }
  return "the table at byte " + std::to_string(csr_row_at(block)) +
         " has an invalid range for block " + std::to_string(block) + ": bytes " +
         std::to_string(row.offset) + " to " + std::to_string(end);
}

template <class Id>
std::string read_csr_block(int fd, const CsrHeader& header, int64_t block, const CsrRow& row,
                           uint64_t end, uint32_t* lengths, Id* ids,
                           const std::function<void(const CsrPiece<Id>&)>& visit) {
  const int64_t first = block * kCsrBlockVertices, vertices = header.vertices_of(block);
  const std::string name = "block " + std::to_string(block) + " (vertices " +
                           std::to_string(first) + " to " + std::to_string(first + vertices - 1) +
                           ") at byte " + std::to_string(row.offset);
  Checksum checksum;
  int64_t at = static_cast<int64_t>(row.offset);
  const auto read = [&](auto* to, int64_t count) {
    const int64_t bytes = count * int64_t(sizeof *to);
    const std::string problem = read_exactly(fd, to, bytes, at, name);
    if (problem.empty()) checksum.add(to, size_t(bytes));
    at += bytes;
    return problem;
  };
  std::string problem = read(lengths, vertices);
  if (!problem.empty()) return problem;
  const int64_t entries = std::accumulate(lengths, lengths + vertices, int64_t{0});
  const int64_t all_ids = entries_of_row(header, block, row, end);
  std::string wrong;  // returned only if the checksum matches: damage can cause any error
  if (entries != all_ids) {
    wrong = "has lists of " + std::to_string(entries) + " entries, but space for " +
            std::to_string(all_ids);
  }
  BlockLists<Id> lists = {header, visit, lengths, first - 1};
  for (int64_t done = 0; done < all_ids; done += kReadIds) {
    const int64_t count = std::min(kReadIds, all_ids - done);
    problem = read(ids + done, count);
    if (!problem.empty()) return problem;
    if (wrong.empty()) wrong = lists.take(ids + done, count);
  }
  if (checksum.value() != row.checksum) {
    return name + " is damaged: its checksum does not match the table";
  }
  return wrong.empty() ? "" : name + " " + wrong;
}

template std::string read_csr_block(int, const CsrHeader&, int64_t, const CsrRow&, uint64_t,
                                    uint32_t*, uint32_t*,
                                    const std::function<void(const CsrPiece<uint32_t>&)>&);
template std::string read_csr_block(int, const CsrHeader&, int64_t, const CsrRow&, uint64_t,
                                    uint32_t*, uint64_t*,
                                    const std::function<void(const CsrPiece<uint64_t>&)>&);

template <class Id>
bool write_csr_blocks(int fd, const CsrHeader& header, int64_t first, int64_t end, int64_t at,
                      EntryBuckets<Id>* entries, const std::function<void(int64_t)>& after_piece) {
  const std::vector<uint32_t> lengths =
      entries->lengths(std::min(end * kCsrBlockVertices, header.nv) - first * kCsrBlockVertices);
  const uint32_t* length = lengths.data();  // length of the first list of the next block
  auto sorted = entries->take_sorted(0);
  size_t bucket = 1,
         used = 0;  // the first `used` entries of the bucket before `bucket` are written
  std::vector<Id> ids;
  std::vector<CsrRow> rows;
  for (int64_t block = first; block < end; ++block) {
    const auto offset = static_cast<uint64_t>(at);
    Checksum checksum;
    const auto put = [fd, &at, &checksum](const void* bytes, size_t size) {
      checksum.add(bytes, size);
      at += int64_t(size);
      return write_fully(fd, static_cast<const char*>(bytes), int64_t(size), at - int64_t(size));
    };
    const int64_t vertices = header.vertices_of(block);
    int64_t left = std::accumulate(length, length + vertices, int64_t{0});
    if (!put(length, size_t(vertices) * sizeof *length)) return false;
    length += vertices;
    do {
      ids.resize(std::min(size_t(left), kWriteBytes / sizeof(Id)));
      for (Id& id : ids) {
        for (; used == sorted.size(); used = 0) sorted = entries->take_sorted(bucket++);
        id = sorted[used++].neighbour;
      }
      if (!put(ids.data(), ids.size() * sizeof(Id))) return false;
      left -= int64_t(ids.size());
      after_piece(left == 0 ? vertices : 0);
    } while (left > 0);
    rows.push_back(CsrRow{offset, checksum.value()});
  }
  return write_fully(fd, reinterpret_cast<const char*>(rows.data()),
                     int64_t(rows.size()) * kCsrRowBytes, csr_row_at(first));
}

template bool write_csr_blocks(int, const CsrHeader&, int64_t, int64_t, int64_t,
                               EntryBuckets<uint32_t>*, const std::function<void(int64_t)>&);
template bool write_csr_blocks(int, const CsrHeader&, int64_t, int64_t, int64_t,
                               EntryBuckets<uint64_t>*, const std::function<void(int64_t)>&);

}  // namespace Grappa::detail
