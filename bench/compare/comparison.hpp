#pragma once

/// Comparison of two runs of one benchmark, if they are comparable.

#include "bench/harness/result.hpp"

#include <string>
#include <vector>

namespace bench {

enum class Verdict {
  Same,           // no difference beyond both spreads
  Better,         // the second figure is better
  Worse,          // the second figure is worse
  NotVerified,    // one of the two results was wrong
  OtherQuestion,  // unit, baseline or direction of the ratio differ
  OtherRegime     // the transfer time of a cache line between the processors differs
};

/// Figures with a baseline are compared by ratio, others by value. Two figures differ if each is
/// outside of the spread of the other one; ratios must also differ by more than 1 %. `of_a` is a
/// figure of result `a`, and `of_b` is one of `b`.
Verdict judge(const Result& a, const Figure& of_a, const Result& b, const Figure& of_b);

/// Reasons why the results must not be compared: different hardware, different number of cores.
/// Empty if they are comparable.
std::vector<std::string> obstacles(const Result& a, const Result& b);

/// Other differences, such as commit, flags, or the state of the machine; these may be the subject
/// of the comparison.
std::vector<std::string> circumstances(const Result& a, const Result& b);

struct Comparison {
  std::string text;  // circumstances, obstacles, and a line for each id
  bool complete;     // false if some figures must not be compared
};

Comparison compare(const Result& a, const Result& b);

}  // namespace bench
