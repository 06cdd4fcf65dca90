#pragma once

/// The owner of each vertex of a graph, and the local index of the vertex on its owner.

#include "structures/graph/edge.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/base/check.hpp"
#include "system/base/ids.hpp"
#include "system/global/address.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {

/// The distribution of the vertices of a graph over the cores (README.md).
enum class GraphLayout {
  Automatic,    // equal ranges if nearly all edges would stay within one core, or Interleaved
  Interleaved,  // core c owns the blocks of 64 bytes number c, c + cores(), c + 2 * cores() ...
  Ranges,       // each core owns consecutive ids, with about equal work
};

namespace detail {

/// The vertices of a core have the local indices (`place`) 0, 1, 2 ... in the order of their ids. A
/// *slot* combines core and local index in one number, which gives the owner without a division.
/// The slots of one core are consecutive, so a bitmap over slots has a contiguous part for each
/// core. The vertex at `place` of a core is the element index(core, place) of a linear array. So in
/// an interleaved layout, its index is its id.
class VertexLayout {
 public:
  VertexLayout() = default;

  /// The interleaved layout. A vertex must have 1, 2, 4 ... or 64 bytes. From: any thread, after
  /// the job has started.
  VertexLayout(int64_t nv, size_t vertex_bytes);

  /// The layout in which core c owns the ids from firsts[c] to firsts[c + 1] - 1. Each core has the
  /// same array of cores() + 1 elements at this symmetric address. The layout owns these arrays.
  VertexLayout(int64_t nv, size_t vertex_bytes, GlobalAddress<VertexID> firsts);

  /// The layout of the same kind for vertices of another size. If this layout has ranges, the
  /// result has the same ranges, in arrays of its own. From: task. Suspends: until done. Messages:
  /// if the layout has ranges, those of symmetric_global_alloc and on_all_cores.
  VertexLayout with_vertex_bytes(size_t vertex_bytes) const;

  /// Frees the arrays of a layout with ranges. From: task, once. Suspends: until done. Messages:
  /// those of global_free.
  void destroy();

  int64_t nv() const { return nv_; }
  bool has_ranges() const { return firsts_ != nullptr; }

  struct Location {
    Core core;
    int64_t place;
  };
  Location locate(VertexID v) const {
    if (!has_ranges()) return {block_cyclic().core(offset(v)), interleaved_place(v)};
    const Core core = core_of_range(v);
    return {core, v - firsts_[core]};
  }
  Core core(VertexID v) const { return locate(v).core; }
  int64_t place(VertexID v) const { return locate(v).place; }
  VertexID id(Core core, int64_t place) const {
    return has_ranges() ? firsts_[core] + place : index(core, place);
  }

  /// The index of a vertex in a linear array of elements() vertices.
  int64_t index(Core core, int64_t place) const {
    const uint64_t in_block = static_cast<uint64_t>(place) & ((uint64_t{1} << log_in_block_) - 1);
    const uint64_t row = static_cast<uint64_t>(place) >> log_in_block_;
    const uint64_t block = row * cores_ + static_cast<uint64_t>(core);
    return static_cast<int64_t>(block << log_in_block_ | in_block);
  }
  int64_t index(VertexID v) const {
    if (!has_ranges()) return v;
    const Location at = locate(v);
    return index(at.core, at.place);
  }
  int64_t elements() const;

  /// Sets slots[k] to the slot of the vertex ids[k], for k = 0 ... count - 1.
  template <class Id, class Slot>
  void find_slots(const Id* ids, int64_t count, Slot* slots) const {
    if (has_ranges() || !is_power_of_two(cores_)) {
      for (int64_t k = 0; k < count; ++k) {
        slots[k] = static_cast<Slot>(slot(static_cast<VertexID>(ids[k])));
      }
      return;
    }
    // Only shifts and masks, so that compilers use vector instructions.
    const int log_in_block = log_in_block_, log_row = log_in_block_ + floor_log2(cores_);
    const int index_bits = index_bits_;
    const Id core_mask = static_cast<Id>(cores_ - 1);
    const Id in_block_mask = static_cast<Id>((uint64_t{1} << log_in_block_) - 1);
    for (int64_t k = 0; k < count; ++k) {
      const Id block = ids[k] >> log_in_block;
      const Slot place = static_cast<Slot>(static_cast<Slot>(ids[k] >> log_row) << log_in_block |
                                           (ids[k] & in_block_mask));
      slots[k] = static_cast<Slot>(static_cast<Slot>(block & core_mask) << index_bits | place);
    }
  }

  /// The number of vertices of `core`. Their local indices are 0 to vertices_of(core) - 1.
  int64_t vertices_of(Core core) const;
  int64_t most_vertices() const { return most_vertices_; }  // of one core

  /// All local indices are below 2^index_bits(), which is at least 64: one word of a bitmap.
  int index_bits() const { return index_bits_; }

  uint64_t slot(Core core, int64_t place) const {
    return static_cast<uint64_t>(core) << index_bits_ | static_cast<uint64_t>(place);
  }
  uint64_t slot(VertexID v) const {
    const Location at = locate(v);
    return slot(at.core, at.place);
  }
  Core core_of_slot(uint64_t slot) const { return static_cast<Core>(slot >> index_bits_); }
  int64_t place_of_slot(uint64_t slot) const {
    return static_cast<int64_t>(slot & ((uint64_t{1} << index_bits_) - 1));
  }
  VertexID id_of_slot(uint64_t slot) const { return id(core_of_slot(slot), place_of_slot(slot)); }

  struct Names {
    VertexID id;
    int64_t index;
  };
  Names names_of_slot(uint64_t slot) const {
    const Core core = core_of_slot(slot);
    const int64_t place = place_of_slot(slot), number = index(core, place);
    return {has_ranges() ? firsts_[core] + place : number, number};
  }

  /// All slots are below slots(). Some of these numbers belong to no vertex.
  uint64_t slots() const { return cores_ << index_bits_; }

  /// True if 32 bits can represent each slot, each id, and one more number that is neither.
  bool fits_in_32_bits() const { return slots() <= UINT32_MAX && nv_ <= int64_t{UINT32_MAX}; }

 private:
  uint64_t offset(VertexID v) const { return static_cast<uint64_t>(v) << log_bytes_; }
  int64_t interleaved_place(VertexID v) const {
    return static_cast<int64_t>(block_cyclic().local_offset(offset(v)) >> log_bytes_);
  }
  Core core_of_range(VertexID v) const {
    const Core me = mycore();  // nearly all neighbours are on the same core
    if (firsts_[me] <= v && v < firsts_[me + 1]) return me;
    return static_cast<Core>(std::upper_bound(firsts_ + 1, firsts_ + cores_, v) - (firsts_ + 1));
  }
  void set_most_vertices(int64_t most);

  int64_t nv_ = 0;
  uint64_t cores_ = 1;
  int log_bytes_ = 0;
  int log_in_block_ = 6;  // log2 of the vertices in a block of the heap
  int index_bits_ = 6;
  int64_t most_vertices_ = 0;
  const VertexID* firsts_ = nullptr;  // at the same address on every core; null if interleaved
};

/// Counts the ends of edges in blocks of consecutive ids, to choose a layout. A symmetric object:
/// each core adds its part of the edges, in any order.
class RangeSurvey {
 public:
  /// `nv` is the number of vertices of a valid layout.
  explicit RangeSurvey(int64_t nv);

  /// Adds an edge. A graph does not contain self-loops, so they are ignored.
  void add(VertexID v, VertexID w) {
    if (v == w) return;
    Block& at_v = blocks_[static_cast<size_t>(v >> log_block_)];
    Block& at_w = blocks_[static_cast<size_t>(w >> log_block_)];
    ++at_v.degree;
    ++at_w.degree;
    within_ += at_v.share == at_w.share;
    ++edges_;
  }

  /// Adds the entries of the list of `v`, as add() does for each. If the graph is not `directed`,
  /// each edge must be in the lists of both of its vertices.
  template <class Id>
  void add_list(VertexID v, const Id* neighbours, int64_t count, bool directed) {
    Block& at_v = blocks_[static_cast<size_t>(v >> log_block_)];
    // Both entries of an undirected edge add 2 to the degree of one vertex, not 1 to both.
    at_v.degree += directed ? count : 2 * count;
    edges_ += count;
    const auto first = static_cast<Id>(at_v.share_first);
    const auto last = static_cast<Id>(at_v.share_last);
    int64_t within = 0;
    for (int64_t k = 0; k < count; ++k) within += first <= neighbours[k] && neighbours[k] <= last;
    within_ += within;
    for (int64_t k = 0; directed && k < count; ++k) {
      ++blocks_[static_cast<size_t>(neighbours[k] >> log_block_)].degree;
    }
  }

  /// Returns the layout for these edges and destroys the survey. From: task, once. Suspends: until
  /// done. Messages: those of an allreduce of up to 2,051 values, or of 16 for each core and 3
  /// more, and of the allocation of a few symmetric objects.
  static VertexLayout choose(GlobalAddress<RangeSurvey> survey, GraphLayout layout,
                             size_t vertex_bytes);

 private:
  struct Block {
    int64_t degree;  // the sum over the vertices of the block
    Core share;      // the core that would own the block if all cores had equally many vertices
    VertexID share_first, share_last;  // the ids of this share
  };

  void sum_over_cores();
  bool equal_ranges_pay() const;
  std::vector<VertexID> equal_ranges() const;
  std::vector<VertexID> ranges_of_equal_work() const;

  const int64_t nv_;
  int log_block_ = 0;  // log2 of the ids in a block
  std::vector<Block> blocks_;
  int64_t edges_ = 0;
  int64_t within_ = 0;  // edges of which both ends are in one share
};

/// Returns true if the choice of a layout needs the edges.
bool needs_survey(GraphLayout layout);

/// Returns the layout for a graph with these edges. From: task. Suspends: until done. Messages: if
/// the choice needs the edges, those of a loop over the edges and of RangeSurvey::choose.
VertexLayout choose_layout(const TupleGraph& tuples, GraphLayout layout, size_t vertex_bytes);

}  // namespace detail
}  // namespace Grappa
