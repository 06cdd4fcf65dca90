#pragma once

/// Writes the lists of neighbours of an undirected graph in a format of other programs.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <string>

namespace Grappa { namespace detail {

/// Writes a METIS file or a serialized graph of GAP. The graph must be undirected, and the format
/// must have no weights. If the format cannot represent the ids, or if the file cannot be written,
/// the old file stays. The contract is that of try_save_csr. Memory over all cores: in addition to
/// that of try_save_csr, a copy of the lists, and 8 bytes of the global heap for each vertex.
bool try_save_lists(GlobalAddress<Csr> csr, GraphFormat format, const std::string& path,
                    std::string* error);

/// Likewise writes the undirected graph of these edges. For a weighted format, the edges must have
/// attributes whose weights fit, and a repeated edge gets its smallest weight, as in GAP. Memory
/// over all cores: the lists, 4 bytes for each of their entries if the format has weights, and 8
/// bytes of the global heap for each vertex.
bool try_save_lists(const TupleGraph& graph, GraphFormat format, const std::string& path,
                    std::string* error);

}}  // namespace Grappa::detail
