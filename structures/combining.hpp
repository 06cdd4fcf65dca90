#pragma once

/// How the operations of a global structure synchronise, and the counters and flags of combining.
/// The default mode is --combining. All modes give the same, linearizable results: there is one
/// order of all operations, in which each operation takes effect between its call and its return,
/// or, for an async operation, before the end of its scope.

#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"

#include <cstddef>

namespace Grappa {

enum class Combining {
  None,         // each operation synchronises separately, at the core with the state
  Centralized,  // each operation is sent to the master, whose proxy combines those of all cores
  Distributed   // the proxy of each core combines, and only the combined operations are sent
};

namespace detail {

/// The mode of --combining. From: any thread.
Combining default_combining();

/// The name of the mode, as --combining takes it.
const char* name_of(Combining mode);

/// The value of --known_keys. If it is out of range, the job aborts as on bad input.
size_t known_keys_option();

namespace structure_counters {

extern Counter operations, commits, matched_pairs, duplicates, known, master_messages,
    owner_messages, additions, addition_batches;

/// Counts a message to the master, core 0, unless this core is the master.
inline void count_master_message() {
  if (mycore() != 0) ++master_messages;
}

}  // namespace structure_counters
}  // namespace detail
}  // namespace Grappa
