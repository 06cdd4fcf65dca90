#pragma once

/// The tree along which a collective combines the values of the cores.
///
/// Each locale sends and receives once, through its first core, the leader. The leaders form a
/// binomial tree, and the cores of a locale a tree of radix kLocaleRadix. Invariant: a core, then
/// its branches in order, then their branches, and so on in depth, is the order of the cores by
/// locale, and within a locale by number. So an operation need not be commutative if the cores of
/// each locale have consecutive numbers.

#include "system/net/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

/// Up to 16 messages, one after the other, are assumed to be cheaper than another level of the
/// tree. The value is not tuned: larger locales have not been measured.
constexpr int kLocaleRadix = 16;

/// The tree from the view of `topology.mycore`. Uses only the fields mycore, locales and locale_of
/// of the topology.
struct CollectiveTree {
  explicit CollectiveTree(const Topology& topology);

  Core parent = -1;            // -1: the root
  std::vector<Core> branches;  // this core first, then its children
};

/// Calls visit(child) for the children of `node` in a tree with the nodes 0 ... count-1, in
/// ascending order. Returns the parent; -1 for node 0.
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
