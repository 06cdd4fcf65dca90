#include "system/parallel/collective_tree.hpp"

#include <algorithm>

namespace Grappa::detail {
namespace {

/// Calls visit(child, end) for the children of `place` in a tree with the nodes 0 ... count-1, in
/// ascending order. The subtree of a child is child ... end-1. Returns the parent; -1 for node 0.
template <class Visit>
int walk_radix_tree(int place, int count, int radix, const Visit& visit) {
  for (int step = 1; step < count; step *= radix) {
    const int above = place % (step * radix);
    if (above != 0) return place - above;
    for (int child = place + step; child < std::min(place + step * radix, count); child += step) {
      visit(child, std::min(child + step, count));
    }
  }
  return -1;
}

/// Numbers the positions of the cores: by locale, and within a locale by core. Returns the first
/// position of each locale, followed by the number of cores.
std::vector<int32_t> number_positions(const Topology& topology, CollectiveTree* tree) {
  const size_t cores = topology.locale_of.size();
  std::vector<int32_t> first(static_cast<size_t>(topology.locales) + 1, 0);
  for (const Locale locale : topology.locale_of) ++first[static_cast<size_t>(locale) + 1];
  for (size_t locale = 1; locale < first.size(); ++locale) first[locale] += first[locale - 1];
  std::vector<int32_t> next = first;
  tree->core_at.resize(cores);
  tree->position_of.resize(cores);
  for (size_t core = 0; core < cores; ++core) {
    const int32_t position = next[static_cast<size_t>(topology.locale_of[core])]++;
    tree->position_of[core] = position;
    tree->core_at[static_cast<size_t>(position)] = static_cast<Core>(core);
  }
  return first;
}

}  // namespace

CollectiveTree collective_tree(const Topology& topology) {
  CollectiveTree tree;
  const std::vector<int32_t> first = number_positions(topology, &tree);
  const auto first_of = [&first](int locale) { return first[static_cast<size_t>(locale)]; };
  const auto add = [&tree](int32_t begin, int32_t end) {
    tree.branches.push_back({tree.core_at[static_cast<size_t>(begin)], begin, end});
  };
  const size_t me = static_cast<size_t>(topology.mycore);
  const int32_t position = tree.position_of[me];
  const Locale locale = topology.locale_of[me];
  const int32_t leader = first_of(locale), members = first_of(locale + 1) - leader;
  add(position, position + 1);
  int above = walk_radix_tree(position - leader, members, kLocaleRadix,
                              [&](int child, int end) { add(leader + child, leader + end); });
  if (above >= 0) {
    tree.parent = tree.core_at[static_cast<size_t>(leader + above)];
    return tree;
  }
  above = walk_radix_tree(locale, topology.locales, kLeaderRadix,
                          [&](int child, int end) { add(first_of(child), first_of(end)); });
  if (above >= 0) tree.parent = tree.core_at[static_cast<size_t>(first_of(above))];
  return tree;
}

}  // namespace Grappa::detail
