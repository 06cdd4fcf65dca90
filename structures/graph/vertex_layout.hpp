#pragma once

/// Where the vertices of a graph lie: on which core, and at which place there.
///
/// Vertex v is element v of a linear array of vertices, so it lies where block_cyclic() says. A
/// core's vertices have the places 0, 1, 2 ... in the order of their ids, which number whatever
/// the core keeps for each of them. Core and place together, in one number, are a *slot*: what a
/// list of neighbours holds in place of an id, since it tells without a division where to send
/// something. Slots of one core are consecutive, so a bitmap over slots has a contiguous part for
/// each core.

#include "structures/graph/edge.hpp"
#include "system/base/ids.hpp"
#include "system/global/block_cyclic.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

class VertexLayout {
 public:
  VertexLayout() = default;

  /// Of an array of `nv` vertices of `vertex_bytes` bytes: 1, 2, 4 ... 64. From: any, once the job
  /// has started.
  VertexLayout(int64_t nv, size_t vertex_bytes);

  int64_t nv() const { return nv_; }
  size_t vertex_bytes() const { return size_t{1} << log_bytes_; }

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

  /// How many vertices `core` has: its places are below.
  int64_t vertices_of(Core core) const;

  /// Places of each core are below 2^log_places(), which is at least 64.
  int log_places() const { return log_places_; }

  uint64_t slot(Core core, int64_t place) const {
    return static_cast<uint64_t>(core) << log_places_ | static_cast<uint64_t>(place);
  }
  uint64_t slot(VertexID v) const { return slot(core(v), place(v)); }
  Core core_of_slot(uint64_t slot) const { return static_cast<Core>(slot >> log_places_); }
  int64_t place_of_slot(uint64_t slot) const {
    return static_cast<int64_t>(slot & ((uint64_t{1} << log_places_) - 1));
  }
  VertexID id_of_slot(uint64_t slot) const { return id(core_of_slot(slot), place_of_slot(slot)); }

  /// All slots are below; not all of them are vertices.
  uint64_t slots() const { return static_cast<uint64_t>(block_cyclic().cores()) << log_places_; }

  /// True if 32 bits hold each slot, each id, and one number besides that is neither.
  bool fits_in_32_bits() const { return slots() <= UINT32_MAX && nv_ <= int64_t{UINT32_MAX}; }

 private:
  uint64_t offset(VertexID v) const { return static_cast<uint64_t>(v) << log_bytes_; }

  int64_t nv_ = 0;
  uint64_t cores_ = 1;
  int log_bytes_ = 0;
  int log_in_block_ = 6;  // vertices in a block of the heap
  int log_places_ = 6;
};

}  // namespace detail
}  // namespace Grappa
