#pragma once

/// Connected components in three phases (B. Holt et al., "Flat Combining Synchronized Global Data
/// Structures", PGAS 2013, section 5.2; the algorithm is S. Kahan's):
///   1. Parallel traversals start at all vertices and claim them. If two traversals meet, the edge
///      between their roots is inserted into a set (traversals.hpp).
///   2. The algorithm of Shiloach and Vishkin finds the components of the reduced graph, which
///      consists of these edges (shiloach_vishkin.hpp).
///   3. Each vertex takes the final label of its root.
///
/// The set dominates the cost: at the border of two traversals each edge is inserted repeatedly. In
/// the plain form, the set is a GlobalSet with synchronous inserts, and flat combining removes
/// duplicates in the proxy of each core. In the tuned form, each core builds its own set, and the
/// sets are merged once, at the end of phase 1.

#include "apps/cc/components.hpp"

#include "structures/combining.hpp"

#include <cstdint>
#include <memory>

namespace cc {

/// Messages of a run: those of traverse_all, of one insert for each cross edge, and of
/// shiloach_vishkin. From: task. Suspends.
std::unique_ptr<Components> kahan_components(GlobalAddress<LabelGraph> g, Grappa::Combining mode,
                                             int64_t concurrent_roots);

/// The tuned form: the set costs one message for each core and each different pair of roots.
std::unique_ptr<Components> tuned_components(GlobalAddress<LabelGraph> g, int64_t concurrent_roots);

}  // namespace cc
