#pragma once

/// The tree along which a collective combines the values of the cores.
///
/// The first core of a locale is its leader. The leaders form a binomial tree, and the cores of
/// each locale form a tree of radix kLocaleRadix. Invariant: a depth-first walk of the tree visits
/// the locales in order, and the cores of a locale by number.

#include "system/net/topology.hpp"

#include <algorithm>
#include <vector>

namespace Grappa { namespace detail {

constexpr int kLocaleRadix = 16;  // not measured; 16 messages should cost less than one more level

/// The neighbours of `topology.mycore` in the tree. Uses only mycore, locales and locale_of.
struct CollectiveTree {
  explicit CollectiveTree(const Topology& topology);

  Core parent = -1;            // -1 if this core is the root
  std::vector<Core> branches;  // this core first, then its children
};

/// Calls visit(child) for the children of `node`, in order. Returns the parent; -1 for node 0.
template <class Visit>
int walk_radix_tree(int node, int count, int radix, const Visit& visit) {
  for (int step = 1; step < count; step *= radix) {
    const int above = node % (step * radix);
    if (above != 0) return node - above;
    for (int child = node + step; child < std::min(node + step * radix, count); child += step) {
      visit(child);
    }
  }
  return -1;
}

inline CollectiveTree::CollectiveTree(const Topology& topology) : branches(1, topology.mycore) {
  std::vector<std::vector<Core>> cores_of(static_cast<size_t>(topology.locales));
  for (size_t core = 0; core < topology.locale_of.size(); ++core) {
    cores_of[static_cast<size_t>(topology.locale_of[core])].push_back(static_cast<Core>(core));
  }
  const Locale locale = topology.locale_of[static_cast<size_t>(topology.mycore)];
  const std::vector<Core>& mine = cores_of[static_cast<size_t>(locale)];
  const int me =
      static_cast<int>(std::find(mine.begin(), mine.end(), topology.mycore) - mine.begin());
  int above = walk_radix_tree(
      me, static_cast<int>(mine.size()), kLocaleRadix,
      [this, &mine](int child) { branches.push_back(mine[static_cast<size_t>(child)]); });
  if (above >= 0) {
    parent = mine[static_cast<size_t>(above)];
    return;
  }
  const auto leader_of = [&cores_of](int of) { return cores_of[static_cast<size_t>(of)][0]; };
  above = walk_radix_tree(locale, topology.locales, 2,
                          [&](int child) { branches.push_back(leader_of(child)); });
  if (above >= 0) parent = leader_of(above);
}

}}  // namespace Grappa::detail
