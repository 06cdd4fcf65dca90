#pragma once

/// What the tests of stealing count, and tasks that note where they go.

#include "system/parallel/steal.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <set>
#include <vector>

namespace Grappa {

// What this core has run: how many, and the sum of their numbers.
extern int64_t ran_here;
extern int64_t sum_here;

/// Begins both anew on all cores.
void reset();

int64_t ran_in_all();
int64_t sum_of_all();

/// This core's value of a counter.
uint64_t counted(const char* name);

/// What all cores have sent as thieves.
uint64_t requests_of_all();

/// Waits until another core has polled so many times and found nothing. Returns how many messages
/// of its own that took: it answers each question with one.
uint64_t wait_for_empty_polls(Core core, uint64_t polls);

/// Waits until no core has tasks or asks for any: each has left word with its neighbours.
void fall_silent();

/// A task that has left this core for another.
struct Gift {
  int64_t number;
  Core thief;
};
std::vector<Gift>& gifts();
std::set<Core> thieves_of_gifts();

/// The numbers of the tasks below that this core has run.
std::vector<int64_t>& ran_in_order();

/// As spawn<unbound> does, and notes which tasks leave this core. Does not switch.
void spawn_numbered(int64_t first, int64_t end);

/// Before a test that watches gifts.
void reset_and_fall_silent();

/// The cores that have this one for a neighbour.
std::set<Core> cores_that_leave_word_here();

}  // namespace Grappa
