#include "structures/graph/file/graph_format.hpp"

#include "structures/graph/file/edge_text.hpp"

#include <cstring>

namespace Grappa {
namespace detail {
namespace {

struct KnownFormat {
  GraphFormat format;
  const char* name;
  const char* suffixes[2];
};

constexpr KnownFormat kFormats[] = {
    {GraphFormat::kEdgeList, "el", {".el", ".txt"}},
    {GraphFormat::kWeightedEdgeList, "wel", {".wel", nullptr}},
    {GraphFormat::kTabSeparated, "tsv", {".tsv", nullptr}},
    {GraphFormat::kMatrixMarket, "mm", {".mtx", ".mm"}},
    {GraphFormat::kBintsv4, "bintsv4", {".bintsv4", nullptr}},
    {GraphFormat::kGraph500, "graph500", {".graph500", nullptr}},
    {GraphFormat::kPacked48, "packed48", {".packed48", nullptr}},
};

bool has_suffix(const std::string& path, const char* suffix) {
  const size_t length = std::strlen(suffix);
  return path.size() > length && path.compare(path.size() - length, length, suffix) == 0;
}

}  // namespace

GraphFormat graph_format(const std::string& path, const std::string& name) {
  for (const KnownFormat& known : kFormats) {
    if (name == known.name) return known.format;
    for (const char* suffix : known.suffixes) {
      if (name.empty() && suffix && has_suffix(path, suffix)) return known.format;
    }
  }
  return GraphFormat::kUnknown;
}

const char* format_name(GraphFormat format) {
  for (const KnownFormat& known : kFormats) {
    if (known.format == format) return known.name;
  }
  return "unknown";
}

std::string unknown_format(const std::string& path, const std::string& name) {
  std::string names, suffixes;
  for (const KnownFormat& known : kFormats) {
    names += std::string(" ") + known.name;
    for (const char* suffix : known.suffixes) {
      if (suffix) suffixes += std::string(" ") + suffix;
    }
  }
  if (name.empty()) return printable(path) + ": unknown suffix; the known suffixes are" + suffixes;
  return "format " + quoted(name.data(), name.data() + name.size()) +
         " is unknown; the known formats are" + names;
}

}  // namespace detail
}  // namespace Grappa
