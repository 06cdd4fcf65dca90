#pragma once

/// Counters for the tests of stealing, and tasks that record their movements.

#include "system/parallel/steal.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <set>
#include <vector>

namespace Grappa {

// The number of tasks that this core has run, and the sum of their numbers.
extern int64_t ran_here;
extern int64_t sum_here;

/// Sets both numbers to 0 on all cores.
void reset();

int64_t ran_in_all();
int64_t sum_of_all();

/// The value of a counter on this core.
uint64_t counted(const char* name);

/// The number of messages that all cores have sent as thieves.
uint64_t requests_of_all();

/// Waits until `core` has made `polls` polls that found no message. Returns the number of messages
/// that this call has sent to `core`. `core` answers each of them with one message.
uint64_t wait_for_empty_polls(Core core, uint64_t polls);

/// Waits until no core has tasks and no core sends requests. Then each core has registered with its
/// neighbours.
void fall_silent();

/// A task that has moved from this core to another core.
struct Gift {
  int64_t number;
  Core thief;
};
std::vector<Gift>& gifts();
std::set<Core> thieves_of_gifts();

/// The numbers of the tasks of spawn_numbered() that this core has run, in the order of execution.
std::vector<int64_t>& ran_in_order();

/// Spawns a stealable task for each number in [first, end). Records the tasks that move to another
/// core. Does not suspend.
void spawn_numbered(int64_t first, int64_t end);

/// Resets all records, and waits like fall_silent(). A test that checks gifts must first call this.
void reset_and_fall_silent();

/// The cores that register with this core.
std::set<Core> cores_that_leave_word_here();

}  // namespace Grappa
