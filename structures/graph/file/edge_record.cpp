#include "structures/graph/file/edge_record.hpp"

#include "system/base/check.hpp"

namespace Grappa {
namespace detail {
namespace {

// On a little-endian machine, compilers turn each of these functions into one load or store.
uint32_t load32(const char* from) {
  uint32_t value = 0;
  for (int k = 3; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(from[k]);
  return value;
}

void store32(char* to, uint32_t value) {
  for (int k = 0; k < 4; ++k) to[k] = static_cast<char>(value >> 8 * k);
}

struct Bintsv4 {
  static constexpr int64_t kBytes = 8;
  static constexpr VertexID kLargest = UINT32_MAX;

  static TupleEdge decode(const char* from) { return {load32(from), load32(from + 4)}; }
  static void encode(const TupleEdge& edge, char* to) {
    store32(to, uint32_t(edge.v0));
    store32(to + 4, uint32_t(edge.v1));
  }
};

struct Graph500 {
  static constexpr int64_t kBytes = 16;
  static constexpr VertexID kLargest = INT64_MAX;

  static TupleEdge decode(const char* from) { return {load64(from), load64(from + 8)}; }
  static void encode(const TupleEdge& edge, char* to) {
    store64(to, uint64_t(edge.v0));
    store64(to + 8, uint64_t(edge.v1));
  }
  static int64_t load64(const char* from) {
    return int64_t(uint64_t{load32(from + 4)} << 32 | load32(from));
  }
  static void store64(char* to, uint64_t value) {
    store32(to, uint32_t(value));
    store32(to + 4, uint32_t(value >> 32));
  }
};

struct Packed48 {
  static constexpr int64_t kBytes = 12;
  static constexpr VertexID kLargest = (int64_t{1} << 47) - 1;

  static TupleEdge decode(const char* from) {
    const uint32_t high = load32(from + 8);
    return {signed48(high & 0xffff, load32(from)), signed48(high >> 16, load32(from + 4))};
  }
  static void encode(const TupleEdge& edge, char* to) {
    store32(to, uint32_t(edge.v0));
    store32(to + 4, uint32_t(edge.v1));
    store32(to + 8, uint32_t(edge.v0 >> 32) | uint32_t(edge.v1 >> 32) << 16);
  }
  static int64_t signed48(uint32_t high, uint32_t low) {
    return int64_t{int16_t(uint16_t(high))} * (int64_t{1} << 32) + low;
  }
};

// Calls visit with the record type of the format. Returns false if the format has no records.
template <class Visit>
bool with_record(GraphFormat format, Visit visit) {
  switch (format) {
    case GraphFormat::kBintsv4: visit(Bintsv4()); return true;
    case GraphFormat::kGraph500: visit(Graph500()); return true;
    case GraphFormat::kPacked48: visit(Packed48()); return true;
    default: return false;
  }
}

}  // namespace

int64_t record_bytes(GraphFormat format) {
  int64_t bytes = 0;
  with_record(format, [&](auto record) { bytes = record.kBytes; });
  return bytes;
}

VertexID largest_id(GraphFormat format) {
  // Ids of Matrix Market start at 1.
  VertexID largest = format == GraphFormat::kMatrixMarket ? INT64_MAX - 1 : INT64_MAX;
  with_record(format, [&](auto record) { largest = record.kLargest; });
  return largest;
}

void decode_records(GraphFormat format, const char* from, int64_t count, TupleEdge* to) {
  const bool known = with_record(format, [&](auto record) {
    for (int64_t k = 0; k < count; ++k) to[k] = record.decode(from + k * record.kBytes);
  });
  GRAPPA_CHECK(known) << "format " << format_name(format) << " has no records";
}

void encode_records(GraphFormat format, const TupleEdge* from, int64_t count, char* to) {
  const bool known = with_record(format, [&](auto record) {
    for (int64_t k = 0; k < count; ++k) record.encode(from[k], to + k * record.kBytes);
  });
  GRAPPA_CHECK(known) << "format " << format_name(format) << " has no records";
}

}  // namespace detail
}  // namespace Grappa
