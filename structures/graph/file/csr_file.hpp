#pragma once

/// Saving and loading a built graph: a large graph need be built only once. The file holds the
/// lists of neighbours, but not the data of vertices and edges. All cores write the file in
/// parallel, each core a range of vertices, and all cores read it in parallel. The file depends
/// neither on the number of cores nor on the size of a vertex (format: csr_format.hpp).
///
/// The loader first validates the whole file: the header, the checksum of each block, and that each
/// list is a valid list of neighbours; in an undirected graph also that each edge is in both lists.
/// The loader allocates the graph only after this validation, so a bad file costs no memory.
///
/// Memory over all cores, in addition to the graph: 8 bytes for each entry (16 in a graph of more
/// than 2^32 vertices) on the core that sorts it, and a few MiB on each core; saving takes 4 bytes
/// more for each vertex.

#include "structures/graph/csr/csr.hpp"
#include "system/global/address.hpp"

#include <cstddef>
#include <string>

namespace Grappa {
namespace detail {

/// Writes a new file, which replaces the old file when it is complete on disk. All cores must be
/// able to open the file. On failure, returns false, keeps the old file, and sets `error` to a line
/// that begins with the path. From: task. Suspends: also while another task builds or saves a
/// graph. Messages: one for each vertex and each entry that another core writes.
bool try_save_csr(GlobalAddress<Csr> csr, bool directed, const std::string& path,
                  std::string* error);

/// Loads the lists of a graph whose vertices have `vertex_bytes` bytes (VertexLayout). If the file
/// is bad, or if the graph does not fit in memory, returns false and sets `error` to a line that
/// begins with the path. On any number of cores, `error` reports the first error in the file. From:
/// task. Suspends: also while another task builds or saves a graph. Messages: one for each entry of
/// a list of another core.
bool try_load_csr(const std::string& path, size_t vertex_bytes, GlobalAddress<Csr>* csr,
                  bool* directed, std::string* error, SlotWidth width = SlotWidth::kAutomatic);

}  // namespace detail
}  // namespace Grappa
