#pragma once

/// Connected components in three phases, as the paper has it (B. Holt et al., "Flat Combining
/// Synchronized Global Data Structures", PGAS 2013, section 5.2; the algorithm is S. Kahan's):
///   1. parallel traversals start at all vertices and claim them; where two meet, the edge between
///      their roots goes into a set (traversals.hpp);
///   2. the algorithm of Shiloach and Vishkin finds the components of the reduced graph that these
///      edges form (shiloach_vishkin.hpp);
///   3. the labels of the roots propagate to all that they have claimed.
///
/// The set is what decides: at the border of two traversals each edge is inserted again. In the
/// plain form it is a GlobalSet whose inserts are synchronous, so that flat combining can remove
/// the repeated ones in the proxy of each core. In the tuned form each core builds a set of its
/// own, and these are merged once, at the end of phase 1.

#include "apps/cc/components.hpp"

#include "structures/combining.hpp"

#include <cstdint>
#include <memory>

namespace cc {

/// Messages of a run: those of traverse_all, of the set for each meeting, and of shiloach_vishkin.
/// From: task. Suspends.
std::unique_ptr<Components> kahan_components(GlobalAddress<LabelGraph> g, Grappa::Combining mode,
                                             int64_t concurrent_roots);

/// The tuned form: the set costs one message for each different pair of roots and core.
std::unique_ptr<Components> tuned_components(GlobalAddress<LabelGraph> g, int64_t concurrent_roots);

}  // namespace cc
