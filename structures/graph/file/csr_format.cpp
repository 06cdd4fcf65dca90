#include "structures/graph/file/csr_format.hpp"

#include "system/base/check.hpp"

#include <cstddef>
#include <cstring>
#include <xxhash.h>

namespace Grappa {
namespace detail {
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

std::string csr_block_name(const CsrHeader& header, int64_t block, uint64_t offset) {
  const int64_t first = block * kCsrBlockVertices;
  return "block " + std::to_string(block) + " (vertices " + std::to_string(first) + " to " +
         std::to_string(first + header.vertices_of(block) - 1) + ") at byte " +
         std::to_string(offset);
}

}  // namespace detail
}  // namespace Grappa
