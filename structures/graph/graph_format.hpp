#pragma once

/// The formats in which files hold graphs, by name and by suffix.
///
///     name       suffixes     a file of this format holds
///     el         .el .txt     a line an edge: two ids (edge_text.hpp)
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

/// By `name`; if that is "", by the suffix of the path.
GraphFormat graph_format(const std::string& path, const std::string& name);

/// "el", and so on.
const char* format_name(GraphFormat format);

/// What to tell somebody whose format is kUnknown: one line, without the path if `name` is at
/// fault.
std::string unknown_format(const std::string& path, const std::string& name);

}  // namespace detail
}  // namespace Grappa
