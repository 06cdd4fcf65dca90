#include "structures/graph/file/graph_format.hpp"

#include "structures/graph/file/edge_text.hpp"
#include "system/base/check.hpp"

#include <cstring>

namespace Grappa::detail {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "records are copied in memory order, and the files are little-endian");

struct Bintsv4 {
  explicit Bintsv4(const TupleEdge& edge) : v0(uint32_t(edge.v0)), v1(uint32_t(edge.v1)) {}
  TupleEdge edge() const { return {v0, v1}; }

  uint32_t v0, v1;
};

struct Graph500 {
  explicit Graph500(const TupleEdge& edge) : ids(edge) {}
  TupleEdge edge() const { return ids; }

  TupleEdge ids;
};

struct Packed48 {
  explicit Packed48(const TupleEdge& edge)
      : v0_low(uint32_t(edge.v0)),
        v1_low(uint32_t(edge.v1)),
        v0_high(int16_t(edge.v0 >> 32)),
        v1_high(int16_t(edge.v1 >> 32)) {}
  TupleEdge edge() const {
    constexpr int64_t kHigh = int64_t{1} << 32;
    return {v0_high * kHigh + v0_low, v1_high * kHigh + v1_low};
  }

  uint32_t v0_low, v1_low;
  int16_t v0_high, v1_high;
};

// Calls visit with a record of the format.
template <class Visit>
void with_record(GraphFormat format, Visit visit) {
  switch (format) {
    case GraphFormat::kBintsv4: return visit(Bintsv4(TupleEdge()));
    case GraphFormat::kGraph500: return visit(Graph500(TupleEdge()));
    case GraphFormat::kPacked48: return visit(Packed48(TupleEdge()));
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
    {GraphFormat::kBintsv4, "bintsv4", {".bintsv4", nullptr}, sizeof(Bintsv4), UINT32_MAX},
    {GraphFormat::kGraph500, "graph500", {".graph500", nullptr}, sizeof(Graph500), INT64_MAX},
    {GraphFormat::kPacked48,
     "packed48",
     {".packed48", nullptr},
     sizeof(Packed48),
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
    for (int64_t k = 0; k < count; ++k, from += sizeof record) {
      std::memcpy(&record, from, sizeof record);
      to[k] = record.edge();
    }
  });
}

void encode_records(GraphFormat format, const TupleEdge* from, int64_t count, char* to) {
  with_record(format, [&](auto record) {
    for (int64_t k = 0; k < count; ++k, to += sizeof record) {
      record = decltype(record)(from[k]);
      std::memcpy(to, &record, sizeof record);
    }
  });
}

}  // namespace Grappa::detail
