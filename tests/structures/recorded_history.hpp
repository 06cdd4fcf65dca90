#pragma once

///
/// Records and checks histories of real structures. The tasks of a job make the calls.
///
/// Each history uses its own structure. A few tasks on each core together make about a dozen calls
/// per core. The seed determines the kinds and keys of the calls and the delays between them, but
/// not their order in real time. All suspensions are delayed (suspension_delays.hpp). Several
/// histories are recorded concurrently and disturb each other.

#include "system/parallel/finish_scope.hpp"
#include "tests/structures/linearizable.hpp"

#include <cstdint>
#include <string>

namespace linearizability {

/// A kind of structure and its use. The addresses of these functions are sent to all cores.
struct Subject {
  const Specification* what;
  bool has_size;  // the structure has a linearizable size()

  /// Creates a structure, and returns its address as a number. Runs on core 0. `variant` selects
  /// one of several similar structures.
  uint64_t (*create)(int variant);
  void (*destroy)(uint64_t structure);

  /// Makes the call and stores its result. Runs in a task of any core. The values of all operations
  /// are distinct.
  void (*make)(uint64_t structure, Operation* operation);
};

/// Makes a third of the calls of operations with an async form by `start()`, in a scope of their
/// own. The end of the scope is recorded as the return. Returns false for other calls.
template <class Start>
bool make_async(Operation* operation, const Start& start) {
  if (operation->value % 3 != 0) return false;
  switch (operation->kind) {
    case Kind::Insert:
    case Kind::Combine:
    case Kind::Update:
    case Kind::Visit: break;
    default: return false;
  }
  operation->discarded = true;
  Grappa::finish(start);
  return true;
}

/// The results of several histories.
struct Findings {
  int64_t made = 0;       // checked histories, including a rejected history
  int64_t histories = 0;  // those with overlapping calls of two cores; all in a job of one core
  int64_t delays = 0;     // number of delayed suspensions on all cores
  std::string rejected;   // report of the rejected history; empty if no history was rejected
};

/// Records and checks histories until `histories` of them have overlapping calls, or until a
/// history is rejected. From: the main task.
Findings record(const Subject& subject, int variant, int64_t histories, uint64_t seed);

/// Returns --seed, or a random seed if --seed is 0.
uint64_t seed_of_test();

/// Records --histories histories with overlapping calls. Fails the current test if too few
/// histories have overlapping calls, or if a history is not linearizable.
void expect_linearizable(const Subject& subject, int variant);

/// Fails the current test if all of ten thousand histories are linearizable.
void expect_rejected(const Subject& subject, int variant);

}  // namespace linearizability
