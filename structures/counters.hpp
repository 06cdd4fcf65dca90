#pragma once

/// What the global structures count.
///
/// From these follow the claims that combining makes: operations for each combined message are
/// operations() / commits().

#include "system/observe/counters.hpp"

namespace Grappa {
namespace detail {
namespace structure_counters {

extern Counter operations;       // merged into a proxy
extern Counter commits;          // of a proxy with what was left of them
extern Counter matched_pairs;    // operations that satisfied one another in a proxy
extern Counter duplicates;       // operations that were the same as one that waited in the proxy
extern Counter known;            // operations on sets whose outcome the core knew
extern Counter master_messages;  // to a core that holds a structure's state, from another core
extern Counter owner_messages;   // of a commit, to a core that owns keys of a set or map

}  // namespace structure_counters
}  // namespace detail
}  // namespace Grappa
