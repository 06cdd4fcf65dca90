#pragma once

/// The tree along which a collective combines the values of the cores.
///
/// Each locale sends and receives once, through its first core, the leader. The leaders form a
/// binomial tree. In a locale of up to kLocaleRadix cores, all cores are children of the leader. A
/// larger locale is a tree of that radix. Positions number the cores in the order in which their
/// values are combined: by locale, and within a locale by core. If the cores of each locale have
/// consecutive numbers, this is the order of the cores. Invariant: the subtree of a core has
/// consecutive positions that start with the core's own position, and its branches are adjacent. So
/// an operation need not be commutative. With P cores in a locale and L locales, a core has at most
/// 15 branches for each factor of 16 in P. A leader has one more for each factor of 2 in L.

#include "system/net/topology.hpp"

#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// Cores that are combined in one step within a locale. A leader receives the messages one after
/// the other. Up to 16 messages are assumed to be cheaper than another level of the tree. The value
/// is not tuned: larger locales have not been measured.
constexpr int kLocaleRadix = 16;

/// The radix between locales, where each message takes network time. With this radix, no core
/// receives more messages from other locales than the tree has levels. The value is not tuned.
constexpr int kLeaderRadix = 2;

struct CollectiveTree {
  /// A core and its subtree: positions begin ... end-1.
  struct Branch {
    Core core;
    int32_t begin;
    int32_t end;
  };

  Core parent = -1;                  // -1: the root
  std::vector<Branch> branches;      // this core alone first, then its children
  std::vector<Core> core_at;         // by position
  std::vector<int32_t> position_of;  // by core
};

/// The tree from the view of `topology.mycore`. Uses only the fields cores, mycore, locales and
/// locale_of of the topology.
CollectiveTree collective_tree(const Topology& topology);

}  // namespace detail
}  // namespace Grappa
