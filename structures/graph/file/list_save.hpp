#pragma once

/// Writes the lists of neighbours of an undirected graph in a format of other programs.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/file/graph_format.hpp"

#include <string>

namespace Grappa { namespace detail {

/// Writes a METIS file or a serialized graph of GAP. The graph must be undirected. If the format
/// cannot represent the ids, or if the file cannot be written, the old file stays. The contract is
/// that of try_save_csr.
bool try_save_lists(GlobalAddress<Csr> csr, GraphFormat format, const std::string& path,
                    std::string* error);

}}  // namespace Grappa::detail
