#pragma once

///
/// Recording and checking histories of real structures, which the tasks of a job make.
///
/// Each history uses its own structure, and a few tasks of every core make about a dozen calls on
/// each core. The seed determines the kinds and keys of the calls and the delays between them, but
/// not their order in real time. All suspensions are delayed (suspension_delays.hpp). Several
/// histories are recorded concurrently and disturb each other.

#include "tests/structures/linearizable.hpp"

#include <cstdint>
#include <string>

namespace linearizability {

/// A kind of structure and its use. The addresses of these functions are sent to all cores.
struct Subject {
  const Specification* what;
  bool has_size;  // linearizable size

  /// Runs on core 0. `variant` selects one of several similar structures. Returns address bits.
  uint64_t (*create)(int variant);
  void (*destroy)(uint64_t structure);

  /// Runs on any core, in a task: makes the call and stores its result. Values are distinct.
  void (*make)(uint64_t structure, Operation* operation);
};

/// The results of several histories.
struct Findings {
  int64_t made = 0;       // number of checked histories; stops after the first rejected one
  int64_t histories = 0;  // with overlapping calls of two cores (all, if there is one core)
  int64_t delays = 0;     // delayed suspensions on all cores
  std::string rejected;   // report of the history that is not linearizable; empty if there is none
};

/// Records and checks histories until `histories` have overlapping calls. From: the main task.
Findings record(const Subject& subject, int variant, int64_t histories, uint64_t seed);

/// Returns --seed, or a random seed if --seed is 0.
uint64_t seed_of_test();

/// Fails the current test unless all of --histories are linearizable and enough calls overlapped.
void expect_linearizable(const Subject& subject, int variant);

/// Fails the current test if all of ten thousand histories are linearizable.
void expect_rejected(const Subject& subject, int variant);

}  // namespace linearizability
