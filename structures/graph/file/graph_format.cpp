#include "structures/graph/file/graph_format.hpp"

#include "structures/text/decompressor.hpp"
#include "structures/text/quoted.hpp"

#include "system/base/check.hpp"

#include <algorithm>
#include <cstring>

namespace Grappa::detail {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "records are copied in memory order, and the files are little-endian");

// A record of graph500 is a TupleEdge.
struct Bintsv4 {
  uint32_t v0, v1;
};
struct Packed48 {
  uint32_t v0_low, v1_low;
  int16_t v0_high, v1_high;
};

TupleEdge edge_of(const TupleEdge& record) { return record; }
TupleEdge edge_of(const Bintsv4& record) { return {record.v0, record.v1}; }
TupleEdge edge_of(const Packed48& record) {
  constexpr int64_t kHigh = int64_t{1} << 32;
  return {record.v0_high * kHigh + record.v0_low, record.v1_high * kHigh + record.v1_low};
}

void set_record(TupleEdge* record, const TupleEdge& edge) { *record = edge; }
void set_record(Bintsv4* record, const TupleEdge& edge) {
  *record = {uint32_t(edge.v0), uint32_t(edge.v1)};
}
void set_record(Packed48* record, const TupleEdge& edge) {
  *record = {uint32_t(edge.v0), uint32_t(edge.v1), int16_t(edge.v0 >> 32), int16_t(edge.v1 >> 32)};
}

template <class Visit>
void with_record(GraphFormat format, Visit visit) {
  switch (format) {
    case GraphFormat::kBintsv4: return visit(Bintsv4{});
    case GraphFormat::kGraph500: return visit(TupleEdge{});
    case GraphFormat::kPacked48: return visit(Packed48{});
    default: GRAPPA_CHECK(false) << "format " << format_name(format) << " has no records";
  }
}

enum class Kind { kLines, kRecords, kLists };

struct KnownFormat {
  GraphFormat format;
  const char* name;
  const char* suffixes[2];
  Kind kind;
  int64_t record_bytes;
  VertexID largest_id;
};

constexpr KnownFormat kFormats[] = {
    {GraphFormat::kEdgeList, "el", {".el", ".txt"}, Kind::kLines, 0, INT64_MAX},
    {GraphFormat::kWeightedEdgeList, "wel", {".wel"}, Kind::kLines, 0, INT64_MAX},
    {GraphFormat::kTabSeparated, "tsv", {".tsv"}, Kind::kLines, 0, INT64_MAX},
    {GraphFormat::kMatrixMarket, "mm", {".mtx", ".mm"}, Kind::kLines, 0, INT64_MAX - 1},  // from 1
    {GraphFormat::kMetis, "metis", {".graph", ".metis"}, Kind::kLines, 0, INT64_MAX - 1},
    {GraphFormat::kBintsv4, "bintsv4", {".bintsv4"}, Kind::kRecords, sizeof(Bintsv4), UINT32_MAX},
    {GraphFormat::kGraph500,
     "graph500",
     {".graph500"},
     Kind::kRecords,
     sizeof(TupleEdge),
     INT64_MAX},
    {GraphFormat::kPacked48,
     "packed48",
     {".packed48"},
     Kind::kRecords,
     sizeof(Packed48),
     INT64_MAX >> 16},
    {GraphFormat::kGap, "sg", {".sg"}, Kind::kLists, 0, INT32_MAX},
    {GraphFormat::kWeightedGap, "wsg", {".wsg"}, Kind::kLists, 0, INT32_MAX},
};
constexpr KnownFormat kNoFormat = {GraphFormat::kUnknown, "unknown", {},
                                   Kind::kRecords,        0,         INT64_MAX};

constexpr bool in_order_of_enumerators() {
  int next = 1;
  for (const KnownFormat& each : kFormats) {
    if (int(each.format) != next++) return false;
  }
  return true;
}
static_assert(in_order_of_enumerators(), "known() uses the enumerator as an index");

const KnownFormat& known(GraphFormat format) {
  return format == GraphFormat::kUnknown ? kNoFormat : kFormats[int(format) - 1];
}

}  // namespace

GraphFormat graph_format(const std::string& path, const std::string& name) {
  const std::string stem = without_compression_suffix(path);
  for (const KnownFormat& each : kFormats) {
    if (name == each.name) return each.format;
    for (const char* suffix : each.suffixes) {
      if (name.empty() && suffix && has_suffix(stem, suffix)) return each.format;
    }
  }
  return GraphFormat::kUnknown;
}

const char* format_name(GraphFormat format) { return known(format).name; }

bool is_text(GraphFormat format) { return known(format).kind == Kind::kLines; }

bool may_have_attributes(GraphFormat format) {
  return format == GraphFormat::kWeightedEdgeList || format == GraphFormat::kMatrixMarket ||
         format == GraphFormat::kMetis || format == GraphFormat::kWeightedGap;
}

bool needs_weights(GraphFormat format) {
  return format == GraphFormat::kWeightedEdgeList || format == GraphFormat::kWeightedGap;
}

bool holds_pairs(GraphFormat format) {
  return known(format).kind != Kind::kLists && format != GraphFormat::kMetis &&
         format != GraphFormat::kUnknown;
}

int64_t record_bytes(GraphFormat format) { return known(format).record_bytes; }

VertexID largest_id(GraphFormat format) { return known(format).largest_id; }

std::string too_many_vertices(int64_t nv, GraphFormat format) {
  return "the graph has " + std::to_string(nv) + " vertices, but the largest id in format " +
         format_name(format) + " is " + std::to_string(largest_id(format));
}

std::string why_unwritable(const std::string& path, GraphFormat format, bool has_weights) {
  if (is_compressed(path)) {
    return "a compressed file cannot be written; write it without .gz or .zst";
  }
  if (needs_weights(format) && !has_weights) {
    return std::string("a .") + format_name(format) + " file needs weights, but there are none; " +
           (holds_pairs(format) ? "write an edge list (el)" : "write a .sg file");
  }
  return "";
}

std::string unknown_format(const std::string& path, const std::string& name) {
  std::string names, suffixes;
  for (const KnownFormat& each : kFormats) {
    names += std::string(" ") + each.name;
    for (const char* suffix : each.suffixes) {
      if (suffix) suffixes += std::string(" ") + suffix;
    }
  }
  if (name.empty())
    return printable(path) + ": unknown suffix; the known suffixes are" + suffixes +
           ", and .gz or .zst after a suffix of a text file";
  return "format " + quoted(name.data(), name.data() + name.size()) +
         " is unknown; the known formats are" + names;
}

void decode_records(GraphFormat format, const char* from, int64_t count, TupleEdge* to) {
  with_record(format, [&](auto record) {
    for (int64_t k = 0; k < count; ++k, from += sizeof record) {
      std::memcpy(&record, from, sizeof record);
      to[k] = edge_of(record);
    }
  });
}

void encode_records(GraphFormat format, const TupleEdge* from, int64_t count, char* to) {
  with_record(format, [&](auto record) {
    for (int64_t k = 0; k < count; ++k, to += sizeof record) {
      set_record(&record, from[k]);
      std::memcpy(to, &record, sizeof record);
    }
  });
}

}  // namespace Grappa::detail
