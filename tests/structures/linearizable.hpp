#pragma once

/// Decides whether a history of operations is linearizable. In a linearizable history, each
/// operation takes effect at an instant between its call and its return. If the operations are
/// executed sequentially in the order of these instants, they have the results in the history. The
/// checker does not need the runtime.
///
/// The checker combines four published methods:
/// - J. Wing and C. Gong, "Testing and Verifying Concurrent Objects", JPDC 1993. The search
///   repeatedly linearizes an operation whose call precedes the returns of all remaining
///   operations. If no operation has the right result, the search goes back to the last choice.
/// - G. Lowe, "Testing for Linearizability", CCPE 2017. A configuration is the set of linearized
///   operations together with the state. The search does not try a configuration twice.
/// - A. Horn and D. Kroening, "Faster Linearizability Checking via P-Compositionality", FORTE 2015.
///   If a history of a set or map has no size operation, each key is checked separately.
/// - C. Gomes, B. Selman, H. Kautz, "Boosting Combinatorial Search Through Randomization", AAAI
///   1998. A long search is stopped and restarted with another order of choices.
/// For some operations, the search needs no choice: see Search::comes_first() in the source.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace linearizability {

enum class Kind {
  Push,
  TryPop,
  Size,
  Insert,   // in a map, sets the value of a new or existing key
  Combine,  // adds to the value of a key, or inserts the key
  Update,   // sets the value of a key and returns the old value
  Visit,    // adds to the value of a key, if it is present
  Lookup,
  Contains,
  Erase
};

/// One call and its result. Unused fields are 0.
struct Operation {
  uint64_t invoked;   // time before the call, in ns of a clock that all cores share
  uint64_t returned;  // time after the call, in ns; calls with equal times overlap
  Kind kind;
  int64_t key;     // in a set or map
  int64_t value;   // Push; Insert, Combine, Update and Visit in a map
  bool yes;        // TryPop found an element; Insert, Combine: new key; others: key present
  int64_t result;  // TryPop, Lookup in a map: the value, if yes; Update: old value or 0; Size: size
  int core;
  int task;        // number of the task on its core
  bool discarded;  // Insert, Combine, Update, Visit: async, so `yes` and `result` are not known
};

typedef std::vector<Operation> History;

/// The contents of a sequential structure. For a stack, the values from bottom to top. For a queue,
/// the values from front to back. For a set or map, each key and its value, in the order of the
/// keys.
typedef std::vector<int64_t> State;

/// A sequential structure: apply() checks the result of an operation and computes the next state.
struct Specification {
  const char* name;
  bool (*apply)(const Operation& operation, State* state);
  bool keyed;   // operations on different keys are independent
  bool newest;  // if not keyed: TryPop takes the newest value (true) or the oldest value (false)
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
  size_t most_of_a_guess = 20000;     // maximum number of configurations for each guess
  size_t most_of_the_last = 1000000;  // the same for the last guess, limited by the memory
};

/// Checks a history of a structure that was empty at the beginning. In the worst case, the time is
/// exponential in the number of overlapping operations. If the search reaches the limits of
/// `effort`, the verdict is "not linearizable", and the report states that no order was found.
Verdict check(const Specification& specification, History history, const Effort& effort = Effort());

/// Checks a history of a queue in quadratic time, for histories that are too long for a search. The
/// pushed values must be distinct, and no operation may be a Size. Returns a sentence about a
/// violation, or "" if the history is linearizable. (T. Henzinger, A. Sezgin, V. Vafeiadis,
/// "Aspect-Oriented Linearizability Proofs", CONCUR 2013.)
std::string queue_violation(const History& history);

/// Returns a text like "push(3)" or "try_pop() = 3".
std::string to_text(const Operation& operation);

}  // namespace linearizability
