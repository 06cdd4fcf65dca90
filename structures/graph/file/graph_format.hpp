#pragma once

/// The formats of graph files, with their names and file suffixes.
///
///     name       suffixes     content
///     el         .el .txt     one edge on each line: two ids (edge_text.hpp)
///     wel        .wel         the same with a weight, which is ignored; cannot be written
///     tsv        .tsv         the same as el; written with a tab between the ids
///     mm         .mtx .mm     Matrix Market (edge_text.hpp)
///     bintsv4    .bintsv4     records of two 32-bit ids (edge_record.hpp)
///     graph500   .graph500    records of two 64-bit ids
///     packed48   .packed48    records of two 48-bit ids

#include <string>

namespace Grappa {
namespace detail {

enum class GraphFormat {
  kUnknown,
  kEdgeList,
  kWeightedEdgeList,
  kTabSeparated,
  kMatrixMarket,
  kBintsv4,
  kGraph500,
  kPacked48
};

/// Looks the format up by `name`, or by the suffix of the path if `name` is "".
GraphFormat graph_format(const std::string& path, const std::string& name);

/// The name of the format: "el", and so on.
const char* format_name(GraphFormat format);

/// The error message for kUnknown, one line. Without the path if `name` is not "".
std::string unknown_format(const std::string& path, const std::string& name);

}  // namespace detail
}  // namespace Grappa
