#include "structures/graph/file/graph_format.hpp"

#include "structures/graph/file/edge_text.hpp"
#include "system/base/check.hpp"

#include <cstring>

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

  static TupleEdge decode(const char* from) { return {load32(from), load32(from + 4)}; }
  static void encode(const TupleEdge& edge, char* to) {
    store32(to, uint32_t(edge.v0));
    store32(to + 4, uint32_t(edge.v1));
  }
};

struct Graph500 {
  static constexpr int64_t kBytes = 16;

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

// Calls visit with the record type of the format.
template <class Visit>
void with_record(GraphFormat format, Visit visit) {
  switch (format) {
    case GraphFormat::kBintsv4: return visit(Bintsv4());
    case GraphFormat::kGraph500: return visit(Graph500());
    case GraphFormat::kPacked48: return visit(Packed48());
    default: GRAPPA_CHECK(false) << "format " << format_name(format) << " has no records";
  }
}

struct KnownFormat {
  GraphFormat format;
  const char* name;
  const char* suffixes[2];
  int64_t record_bytes;
  VertexID largest_id;
};

constexpr KnownFormat kFormats[] = {
    {GraphFormat::kEdgeList, "el", {".el", ".txt"}, 0, INT64_MAX},
    {GraphFormat::kWeightedEdgeList, "wel", {".wel", nullptr}, 0, INT64_MAX},
    {GraphFormat::kTabSeparated, "tsv", {".tsv", nullptr}, 0, INT64_MAX},
    {GraphFormat::kMatrixMarket, "mm", {".mtx", ".mm"}, 0, INT64_MAX - 1},  // in the file from 1
    {GraphFormat::kBintsv4, "bintsv4", {".bintsv4", nullptr}, Bintsv4::kBytes, UINT32_MAX},
    {GraphFormat::kGraph500, "graph500", {".graph500", nullptr}, Graph500::kBytes, INT64_MAX},
    {GraphFormat::kPacked48,
     "packed48",
     {".packed48", nullptr},
     Packed48::kBytes,
     (int64_t{1} << 47) - 1},
};
constexpr KnownFormat kNoFormat = {GraphFormat::kUnknown, "unknown", {}, 0, INT64_MAX};

const KnownFormat& known(GraphFormat format) {
  for (const KnownFormat& each : kFormats) {
    if (each.format == format) return each;
  }
  return kNoFormat;
}

bool has_suffix(const std::string& path, const char* suffix) {
  const size_t length = std::strlen(suffix);
  return path.size() > length && path.compare(path.size() - length, length, suffix) == 0;
}

}  // namespace

GraphFormat graph_format(const std::string& path, const std::string& name) {
  for (const KnownFormat& each : kFormats) {
    if (name == each.name) return each.format;
    for (const char* suffix : each.suffixes) {
      if (name.empty() && suffix && has_suffix(path, suffix)) return each.format;
    }
  }
  return GraphFormat::kUnknown;
}

const char* format_name(GraphFormat format) { return known(format).name; }

int64_t record_bytes(GraphFormat format) { return known(format).record_bytes; }

VertexID largest_id(GraphFormat format) { return known(format).largest_id; }

std::string unknown_format(const std::string& path, const std::string& name) {
  std::string names, suffixes;
  for (const KnownFormat& each : kFormats) {
    names += std::string(" ") + each.name;
    for (const char* suffix : each.suffixes) {
      if (suffix) suffixes += std::string(" ") + suffix;
    }
  }
  if (name.empty()) return printable(path) + ": unknown suffix; the known suffixes are" + suffixes;
  return "format " + quoted(name.data(), name.data() + name.size()) +
         " is unknown; the known formats are" + names;
}

void decode_records(GraphFormat format, const char* from, int64_t count, TupleEdge* to) {
  with_record(format, [&](auto record) {
    for (int64_t k = 0; k < count; ++k) to[k] = record.decode(from + k * record.kBytes);
  });
}

void encode_records(GraphFormat format, const TupleEdge* from, int64_t count, char* to) {
  with_record(format, [&](auto record) {
    for (int64_t k = 0; k < count; ++k) record.encode(from[k], to + k * record.kBytes);
  });
}

}  // namespace detail
}  // namespace Grappa
