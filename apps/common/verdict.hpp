#pragma once

/// The result of a verification by rules, and the violations that the verification finds. Each core
/// keeps the violation of the lowest vertex for each rule, so the result does not depend on the
/// number of cores.

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <string>

namespace apps {

struct Verdict {
  bool valid;
  int rule;                 // the lowest broken rule; 0 if valid
  Grappa::VertexID vertex;  // the lowest vertex that breaks the rule; -1 if there is none
  std::string sentence;     // names the vertex and the rule; empty if valid
};

inline Verdict valid() { return Verdict{true, 0, -1, ""}; }

/// Records on this core that `vertex` breaks `rule`, which is 1 to 5. `how` is a string literal, in
/// which %1, %2 and %3 stand for the values. From: anywhere.
void add_violation(int rule, Grappa::VertexID vertex, const char* how, int64_t value1 = 0,
                   int64_t value2 = 0, int64_t value3 = 0);

/// Returns the verdict about all violations on all cores since the last call: the lowest vertex
/// that breaks the lowest broken rule. From: task, one at a time. Suspends.
Verdict take_verdict();

}  // namespace apps
