#pragma once

/// Who combines what with whom in a collective, and in which order.
///
/// The cores of a locale are reached through its first one, the leader, so that each locale sends
/// and receives once; the leaders form a binomial tree. A locale is flat up to kLocaleRadix cores;
/// beyond that it is a tree of that radix. Positions number the cores in the order in which their
/// values are combined: by locale, and within a locale by core. That is the order of the cores
/// where those of a locale have numbers in a row. Invariant: what hangs on a core has positions in
/// a row, from its own on, and its branches lie side by side in them, so an operation need not be
/// commutative. With P positions of a locale and L locales a core has at most 15 branches for each
/// factor of 16 in P, and a leader one for each factor of 2 in L.

#include "system/net/topology.hpp"

#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// Cores that are combined in one step within a locale. A leader receives one message after the
/// other, which is taken to cost less than one level more for all, but not without end. Not tuned:
/// larger locales have not been measured.
constexpr int kLocaleRadix = 16;

/// Between locales, where each message takes the network's time, nobody receives more of them than
/// the tree has levels. Not tuned either.
constexpr int kLeaderRadix = 2;

struct CollectiveTree {
  /// A core and all that hangs on it: positions begin ... end-1.
  struct Branch {
    Core core;
    int32_t begin;
    int32_t end;
  };

  Core parent = -1;                  // none: the root
  std::vector<Branch> branches;      // this core alone first, then those that hang on it
  std::vector<Core> core_at;         // by position
  std::vector<int32_t> position_of;  // by core
};

/// The tree as `topology.mycore` sees it. Of the topology only cores, mycore, locales and locale_of
/// are looked at.
CollectiveTree collective_tree(const Topology& topology);

}  // namespace detail
}  // namespace Grappa
