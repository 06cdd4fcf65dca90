#pragma once

/// The owner of each vertex of a graph, and the local index of the vertex on its owner.
///
/// Vertex v is element v of a linear array of vertices, so block_cyclic() determines its owner. The
/// vertices of a core have the local indices (`place`) 0, 1, 2 ... in the order of their ids, and
/// the core uses these indices for its data about the vertices. A *slot* combines core and local
/// index in one number. Lists of neighbours hold slots instead of ids: a slot gives the owner
/// without a division. The slots of one core are consecutive, so a bitmap over slots has a
/// contiguous part for each core.

#include "structures/graph/edge.hpp"
#include "system/base/bits.hpp"
#include "system/base/check.hpp"
#include "system/base/ids.hpp"
#include "system/global/address.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

class VertexLayout {
 public:
  VertexLayout() = default;

  /// For an array of `nv` vertices of 1, 2, 4 ... 64 bytes. From: any thread, once the job has
  /// started.
  VertexLayout(int64_t nv, size_t vertex_bytes)
      : nv_(nv),
        cores_(block_cyclic().cores()),
        log_bytes_(floor_log2(vertex_bytes)),
        log_in_block_(floor_log2(block_size) - log_bytes_) {
    GRAPPA_DCHECK(is_power_of_two(vertex_bytes) && vertex_bytes <= size_t{block_size});
    GRAPPA_CHECK(nv >= 0 && nv <= int64_t{1} << (62 - log_bytes_))
        << "invalid graph of " << nv << " vertices, expected 0 to 2^" << 62 - log_bytes_;
    const auto most = static_cast<uint64_t>(vertices_of(0));
    index_bits_ = floor_log2(next_power_of_two(most < 64 ? 64 : most));
  }

  int64_t nv() const { return nv_; }

  Core core(VertexID v) const { return block_cyclic().core(offset(v)); }
  int64_t place(VertexID v) const {
    return static_cast<int64_t>(block_cyclic().local_offset(offset(v)) >> log_bytes_);
  }
  VertexID id(Core core, int64_t place) const {
    const uint64_t in_block = static_cast<uint64_t>(place) & ((uint64_t{1} << log_in_block_) - 1);
    const uint64_t row = static_cast<uint64_t>(place) >> log_in_block_;
    const uint64_t block = row * cores_ + static_cast<uint64_t>(core);
    return static_cast<VertexID>(block << log_in_block_ | in_block);
  }

  /// The number of vertices of `core`: their local indices are 0 to vertices_of(core) - 1.
  int64_t vertices_of(Core core) const {
    const int64_t blocks = nv_ >> log_in_block_;
    const int64_t cores = block_cyclic().cores();
    const int64_t whole = blocks / cores + (core < blocks % cores ? 1 : 0);
    const int64_t rest = core == blocks % cores ? nv_ - (blocks << log_in_block_) : 0;
    return (whole << log_in_block_) + rest;
  }

  /// All local indices are below 2^index_bits(), which is at least 64, one word of a bitmap.
  int index_bits() const { return index_bits_; }

  uint64_t slot(Core core, int64_t place) const {
    return static_cast<uint64_t>(core) << index_bits_ | static_cast<uint64_t>(place);
  }
  uint64_t slot(VertexID v) const { return slot(core(v), place(v)); }
  Core core_of_slot(uint64_t slot) const { return static_cast<Core>(slot >> index_bits_); }
  int64_t place_of_slot(uint64_t slot) const {
    return static_cast<int64_t>(slot & ((uint64_t{1} << index_bits_) - 1));
  }
  VertexID id_of_slot(uint64_t slot) const { return id(core_of_slot(slot), place_of_slot(slot)); }

  /// All slots are below slots(); some of these numbers belong to no vertex.
  uint64_t slots() const { return static_cast<uint64_t>(block_cyclic().cores()) << index_bits_; }

  /// True if 32 bits can represent each slot, each id, and one more number that is neither.
  bool fits_in_32_bits() const { return slots() <= UINT32_MAX && nv_ <= int64_t{UINT32_MAX}; }

 private:
  uint64_t offset(VertexID v) const { return static_cast<uint64_t>(v) << log_bytes_; }

  int64_t nv_ = 0;
  uint64_t cores_ = 1;
  int log_bytes_ = 0;
  int log_in_block_ = 6;  // vertices in a block of the heap
  int index_bits_ = 6;
};

}  // namespace detail
}  // namespace Grappa
