#pragma once

/// Decides whether a history of operations is linearizable: whether each can be given one instant
/// between its call and its return such that, in the order of these instants, all results are those
/// of the sequential structure. Needs no runtime.
///
/// The search is that of J. Wing and C. Gong, "Testing and Verifying Concurrent Objects", JPDC
/// 1993: one after the other, linearize an operation that no other, not yet linearized, has ended
/// before, and take the last one back where no further one fits. G. Lowe, "Testing for
/// Linearizability", CCPE 2017: what was reached before, the same operations linearized and the
/// same state, is not tried again. A. Horn and D. Kroening, "Faster Linearizability Checking via
/// P-Compositionality", FORTE 2015: a set or map without size is linearizable if it is key by key.
/// C. Gomes, B. Selman, H. Kautz, "Boosting Combinatorial Search Through Randomization", AAAI 1998:
/// a search that takes long is given up and begun anew with other choices first. Some operations
/// need no choice: Search::comes_first() in the source has those that are the only ones tried.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace linearizability {

enum class Kind {
  Push,
  TryPop,
  Size,
  Insert,   // of a map: sets the value of a key, which may be in
  Combine,  // adds to the value of a key, or inserts it
  Update,   // sets the value of a key, and answers what it was
  Lookup,
  Erase
};

/// One call, and what came of it. Fields that an operation has no use for are 0.
struct Operation {
  uint64_t invoked;   // ns of one clock for all cores, read before the call
  uint64_t returned;  // ns, read after it; calls with an equal stamp overlap
  Kind kind;
  int64_t key;    // of a set or map
  int64_t value;  // Push; Insert, Combine and Update of a map
  bool yes;  // TryPop: there was one. Insert, Combine: the key is new. Lookup, Erase: it was in
  int64_t result;  // TryPop, Lookup in a map: the value, if yes. Update: the old one, or 0. Size
  int core;
  int task;  // of that core
};

typedef std::vector<Operation> History;

/// The contents of a sequential structure: values from bottom to top or from front to back; for a
/// set or map each key and its value, in the order of keys.
typedef std::vector<int64_t> State;

/// A sequential structure: whether an operation may have its result in a state, and the next state.
struct Specification {
  const char* name;
  bool (*apply)(const Operation& operation, State* state);
  bool keyed;   // operations on two keys are independent
  bool newest;  // if not keyed: the newest value comes out first, not the oldest
};

extern const Specification kStack;
extern const Specification kQueue;
extern const Specification kSet;  // of which only keys matter
extern const Specification kMap;

struct Verdict {
  bool linearizable;
  size_t configurations;  // tried: what the answer has cost
  std::string report;     // if not linearizable: the history, and how far it could be explained

  explicit operator bool() const { return linearizable; }
};

/// A search that has begun badly may try a great many configurations where another one needs few.
/// So it is given up after some, and the next one begins with another guess of the instants.
struct Effort {
  uint64_t guesses = 100;
  size_t most_of_a_guess = 20000;     // configurations
  size_t most_of_the_last = 1000000;  // which is to come to an end, but not short of memory
};

/// Whether the history is one of the structure that was empty at its beginning. Takes time
/// exponential in the number of operations that overlap, at worst: a history for which no order was
/// found with that effort counts as not linearizable, and its report says so.
Verdict check(const Specification& specification, History history, const Effort& effort = Effort());

/// "push(3)", "try_pop() = 3".
std::string to_text(const Operation& operation);

}  // namespace linearizability
