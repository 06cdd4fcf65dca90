#pragma once

/// The leaves of a graph: vertices with exactly one neighbour, 22 % of the vertices with neighbours
/// in a Graph500 graph of scale 20. Whether a search reaches a leaf, and from where, follows from
/// its neighbour. So a search omits the leaves, and attaches them at its end. (Forest pruning, for
/// trees of depth one: J. Arai et al., "Doubling Graph Traversal Efficiency to 198 TeraTEPS on the
/// Supercomputer Fugaku", SC 2024.)

#include "apps/bfs/bottom_up.hpp"
#include "apps/common/bitmap.hpp"

#include <cstdint>
#include <vector>

namespace bfs {

/// The leaves of one core. Slot: uint32_t or uint64_t, as in the lists. A symmetric object.
template <class Slot>
class Leaves {
 public:
  /// From: task. Suspends. Messages: one for each leaf, and those of LocaleArray::share().
  static GlobalAddress<Leaves> create(GlobalAddress<Csr> lists) {
    const auto bits = BottomUp::create_bitmap(lists);
    const auto leaves = Grappa::symmetric<Leaves>(bits);
    Grappa::on_all_cores([lists, leaves] { leaves->find(*lists.pointer(), leaves); });
    return leaves;
  }
  static void destroy(GlobalAddress<Leaves> leaves) {
    Grappa::global_free(leaves->bits_);
    Grappa::global_free(leaves);
  }

  /// Returns true if any core has a leaf.
  bool any() const { return any_; }

  /// The leaves of all cores, with a bit for each slot.
  const uint64_t* bits() const { return bits_->all(); }

  /// The vertices of this core that have a leaf as a neighbour, with a bit for each local index.
  const uint64_t* joined() const { return joined_.data(); }

  /// Gives each leaf of this core without a parent its neighbour, if the neighbour is in `visited`.
  void attach(const uint64_t* visited, std::vector<Slot>* parents) const {
    for (const Leaf& leaf : leaves_) {
      Slot* const parent = parents->data() + leaf.place;
      if (*parent == static_cast<Slot>(-1) && apps::has_bit(visited, leaf.neighbour)) {
        *parent = leaf.neighbour;
      }
    }
    apps::charge(int64_t(leaves_.size()), kLeafNs);
  }

  /// Called by create() only.
  explicit Leaves(GlobalAddress<Bitmap> bits) : bits_(bits), joined_(size_t(bits->part()), 0) {}

 private:
  static constexpr double kLeafNs = 1.6;  // charged; not measured

  struct Leaf {
    Slot place, neighbour;
  };

  void find(const Csr& lists, GlobalAddress<Leaves> self) {
    const Grappa::detail::VertexLayout& layout = lists.layout();
    for (int64_t place = 0; place < lists.vertices(); ++place) {
      if (lists.size(place) != 1) continue;
      const Slot neighbour = *apps::list_of<Slot>(lists, place).first;
      leaves_.push_back(Leaf{static_cast<Slot>(place), neighbour});
      apps::set_bit(bits_->own(), uint64_t(place));
      const auto at = uint64_t(layout.place_of_slot(neighbour));
      Grappa::delegate::call<Grappa::async>(
          layout.core_of_slot(neighbour), [self, at] { apps::set_bit(self->joined_.data(), at); });
    }
    leaves_.shrink_to_fit();
    bits_->share();
    any_ = Grappa::allreduce<bool, Grappa::collective_or>(!leaves_.empty());
  }

  const GlobalAddress<Bitmap> bits_;
  std::vector<uint64_t> joined_;
  std::vector<Leaf> leaves_;
  bool any_ = false;
};

}  // namespace bfs
