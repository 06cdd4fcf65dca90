#pragma once

/// The modes in which the operations of a global structure synchronise, and the counters and flags
/// of combining. The default mode is --combining. All modes give linearizable results: there is one
/// order of all operations, and each operation takes effect between its call and its return. An
/// async operation takes effect before the end of its scope.

#include "system/base/ids.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"

#include <cstddef>

namespace Grappa {

enum class Combining {
  None,         // each operation synchronises separately, at the core with the state
  Centralized,  // each operation is sent to the master, where one proxy combines all of them
  Distributed   // the proxy of each core combines, and only the combined operations are sent
};

namespace detail {

/// Returns the mode that --combining selects. From: any thread.
Combining default_combining();

/// Returns the value of --combining that selects the mode.
const char* name_of(Combining mode);

/// Returns the value of --known_keys. If the value is out of range, aborts by input_error.
size_t known_keys_option();
size_t partial_sums_option();  // of --partial_sums
bool combining_tree_option();  // of --combining_tree

/// Returns true if the requests of this core for other locales are combined once more, in a
/// gatherer.
bool gathers_requests(Combining mode);

/// Returns the master of the structure that this core creates next. A core's structures have
/// masters on different locales in turn, and there on the next core. The first master of a core is
/// the core itself.
Core next_master();

namespace structure_counters {

extern Counter operations, commits, matched_pairs, duplicates, known, local, summed, announced,
    master_messages, gathered_batches, owner_messages, additions, addition_batches;

/// Counts a message to the master, unless this core is the master.
inline void count_message_to(Core master) {
  if (mycore() != master) ++master_messages;
}

}  // namespace structure_counters
}  // namespace detail
}  // namespace Grappa
