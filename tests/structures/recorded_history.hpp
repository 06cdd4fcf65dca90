#pragma once

/// Histories of real structures, made by the tasks of a job, and checked.
///
/// For each history there is a structure of its own, on which a few tasks of every core make a few
/// calls each, a dozen calls to a core: of what kind, of which keys, and what comes in between
/// follows from a seed; in which order they really happen does not. All that is suspended meanwhile
/// is delayed (suspension_delays.hpp). Some histories are made at a time, in each others' way.

#include "tests/structures/linearizable.hpp"

#include <cstdint>
#include <string>

namespace linearizability {

/// A kind of structure, and how it is used. Its functions are told to all cores.
struct Subject {
  const Specification* what;
  bool has_size;  // that is linearizable

  /// On core 0. `variant` is which of several that are alike; returns the bits of an address.
  uint64_t (*create)(int variant);
  void (*destroy)(uint64_t structure);

  /// On any core, in a task: makes the call and enters what has come of it. Values are distinct.
  void (*make)(uint64_t structure, Operation* operation);
};

/// What became of some histories.
struct Findings {
  int64_t made = 0;       // and checked; none after the first that is not linearizable
  int64_t histories = 0;  // of them, those in which calls of two cores overlap, if there are two
  int64_t delays = 0;     // of suspensions, on all cores
  std::string rejected;   // a report of the history that is not linearizable; empty if all are
};

/// Makes histories until so many are of calls that overlap, and checks all. From: the main task.
Findings record(const Subject& subject, int variant, int64_t histories, uint64_t seed);

/// What --seed says, or another one each time.
uint64_t seed_of_test();

/// Fails the current test unless all of --histories are linearizable and enough was tried.
void expect_linearizable(const Subject& subject, int variant);

/// Fails the current test unless one of ten thousand histories is not linearizable.
void expect_rejected(const Subject& subject, int variant);

}  // namespace linearizability
