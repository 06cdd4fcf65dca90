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

/// Sets both to 0 on all cores.
void reset();

int64_t ran_in_all();
int64_t sum_of_all();

/// This core's value of a counter.
uint64_t counted(const char* name);

/// The messages that all cores have sent as thieves.
uint64_t requests_of_all();

/// Waits until another core has polled `polls` times and found nothing. Returns the number of
/// questions that this core has sent for that; the other core answers each with one message.
uint64_t wait_for_empty_polls(Core core, uint64_t polls);

/// Waits until no core has tasks or asks for any: each core has registered with its neighbours.
void fall_silent();

/// A task that has moved from this core to another core.
struct Gift {
  int64_t number;
  Core thief;
};
std::vector<Gift>& gifts();
std::set<Core> thieves_of_gifts();

/// The numbers of the tasks below that this core has run.
std::vector<int64_t>& ran_in_order();

/// Like spawn<unbound>, and records which tasks leave this core. Does not switch.
void spawn_numbered(int64_t first, int64_t end);

/// Must be called before a test that checks gifts.
void reset_and_fall_silent();

/// The cores that have this core as a neighbour.
std::set<Core> cores_that_leave_word_here();

}  // namespace Grappa
