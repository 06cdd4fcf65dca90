#pragma once

/// A built graph in a file, so that a large one is built once: the lists of neighbours, without the
/// data of vertices and edges. All cores write it at once, each a range of vertices, and all read
/// it. Equal graphs make equal files: neither the number of cores nor the size of vertices shows
/// (csr_format.hpp has the bytes).
///
/// A file is believed when each byte has been looked at: the header, the checksum of each block,
/// and that its lists are lists of neighbours; of an undirected graph also that each edge is in
/// both lists. Nothing is allocated before, so a bad file costs no more than reading it.
///
/// Memory over all cores, besides the graph, for each entry 8 bytes (16 in a graph of more than
/// 2^32 vertices) on the core that sorts it, and a few MiB a core; to save, 4 a vertex besides.

#include "structures/graph/csr.hpp"
#include "system/global/address.hpp"

#include <cstddef>
#include <string>

namespace Grappa {
namespace detail {

/// Writes a file that takes the place of the old one when all of it is on disk. All cores must be
/// able to open it. Returns false, sets `error` to a line of text that begins with the path, and
/// leaves the old file if that is not possible.
/// From: task. Suspends: also while another task builds or saves a graph. Messages: one for each
/// vertex and each entry that another core writes.
bool try_save_csr(GlobalAddress<Csr> csr, bool directed, const std::string& path,
                  std::string* error);

/// Reads the lists of a graph whose vertices have `vertex_bytes` (VertexLayout). Returns false, and
/// sets `error` to a line of text that begins with the path, if the file is bad: of several errors
/// the first in the file is told, on any number of cores. Also if vertices of that size and the
/// lists would not fit in memory.
/// From: task. Suspends: as try_save_csr. Messages: one for each entry of a list of another core.
bool try_load_csr(const std::string& path, size_t vertex_bytes, GlobalAddress<Csr>* csr,
                  bool* directed, std::string* error, SlotWidth width = SlotWidth::kAutomatic);

}  // namespace detail
}  // namespace Grappa
