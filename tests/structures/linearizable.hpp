#pragma once

/// Decides whether a history of operations is linearizable: whether each operation has an instant
/// between its call and its return such that, in the order of these instants, all results are those
/// of the sequential structure. Needs no runtime.
///
/// The search of J. Wing and C. Gong, "Testing and Verifying Concurrent Objects", JPDC 1993:
/// repeatedly linearize an operation such that no remaining operation returned before its call, and
/// backtrack if no operation fits. G. Lowe, "Testing for Linearizability", CCPE 2017: a
/// configuration, the linearized operations and the state, is not tried twice. A. Horn and D.
/// Kroening, "Faster Linearizability Checking via P-Compositionality", FORTE 2015: a set or map
/// without size is checked key by key. C. Gomes, B. Selman, H. Kautz, "Boosting Combinatorial
/// Search Through Randomization", AAAI 1998: a long search is stopped and restarted with another
/// order of choices. Some operations need no choice: see Search::comes_first() in the source.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace linearizability {

enum class Kind {
  Push,
  TryPop,
  Size,
  Insert,   // in a map: sets the value of a new or existing key
  Combine,  // adds to the value of a key, or inserts the key
  Update,   // sets the value of a key and returns the old value
  Lookup,
  Erase
};

/// One call and its result. Unused fields are 0.
struct Operation {
  uint64_t invoked;   // ns of a clock that all cores share, read before the call
  uint64_t returned;  // ns, read after the call; calls with equal timestamps overlap
  Kind kind;
  int64_t key;     // in a set or map
  int64_t value;   // Push; Insert, Combine and Update in a map
  bool yes;        // TryPop: found an element. Insert, Combine: new key. Lookup, Erase: key present
  int64_t result;  // TryPop, Lookup in a map: the value, if yes. Update: the old value, or 0. Size
  int core;
  int task;  // on that core
};

typedef std::vector<Operation> History;

/// The contents of a sequential structure: the values from bottom to top or from front to back; for
/// a set or map, each key and its value in the order of the keys.
typedef std::vector<int64_t> State;

/// A sequential structure: apply() checks the result of an operation and computes the next state.
struct Specification {
  const char* name;
  bool (*apply)(const Operation& operation, State* state);
  bool keyed;   // operations on different keys are independent
  bool newest;  // if not keyed: true pops the newest value first, false the oldest
};

extern const Specification kStack;
extern const Specification kQueue;
extern const Specification kSet;  // ignores values
extern const Specification kMap;

struct Verdict {
  bool linearizable;
  size_t configurations;  // number of configurations tried
  std::string report;     // if not linearizable: the history and the longest order found

  explicit operator bool() const { return linearizable; }
};

/// The limits of a search. The number of configurations depends on the guessed instants. If a
/// search reaches a limit, the next search uses another guess.
struct Effort {
  uint64_t guesses = 100;
  size_t most_of_a_guess = 20000;     // configurations
  size_t most_of_the_last = 1000000;  // of the last guess: large, but limited by the memory
};

/// Checks a history of a structure that was empty at the beginning. The time is exponential in the
/// number of overlapping operations in the worst case. If no order is found with that effort, the
/// history counts as not linearizable, and the report says that no order was found.
Verdict check(const Specification& specification, History history, const Effort& effort = Effort());

/// "push(3)", "try_pop() = 3".
std::string to_text(const Operation& operation);

}  // namespace linearizability
