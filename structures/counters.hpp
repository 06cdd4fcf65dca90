#pragma once

/// Counters of the global structures. operations() / commits() is the mean size of a batch.

#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"

namespace Grappa {
namespace detail {
namespace structure_counters {

extern Counter operations;       // merged into a proxy
extern Counter commits;          // commits of proxies
extern Counter matched_pairs;    // pairs of operations that were matched in a proxy
extern Counter duplicates;       // operations equal to one that waits in the proxy
extern Counter known;            // operations on sets, answered from the cache of known keys
extern Counter master_messages;  // sent from another core to the master of a structure
extern Counter owner_messages;   // sent for a commit to an owner of its keys
extern Counter additions;        // merged by a FetchAddCombiner; also counted in `operations`
extern Counter addition_batches;

/// Counts a message to the master, core 0, unless this core is the master.
inline void count_master_message() {
  if (mycore() != 0) ++master_messages;
}

}  // namespace structure_counters
}  // namespace detail
}  // namespace Grappa
