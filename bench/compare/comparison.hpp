#pragma once

/// Compares two runs of one benchmark, if the runs are comparable.

#include "bench/harness/result.hpp"

#include <string>
#include <vector>

namespace bench {

enum class Verdict {
  Same,           // no difference beyond both spreads
  Better,         // the second figure is better
  Worse,          // the second figure is worse
  NotVerified,    // at least one of the two results was wrong
  OtherQuestion,  // unit, baseline or direction of the ratio differ
  OtherRegime     // the transfer time of a cache line between the processors differs
};

/// Compares figures with a baseline by ratio, and other figures by value. Two figures differ if
/// each is outside of the spread of the other figure. Ratios must also differ by more than 1 %.
/// `of_a` is a figure of result `a`, and `of_b` is a figure of result `b`.
Verdict judge(const Result& a, const Figure& of_a, const Result& b, const Figure& of_b);

/// Returns the reasons why the results must not be compared, such as different hardware or a
/// different number of cores. Returns an empty vector if the results are comparable.
std::vector<std::string> obstacles(const Result& a, const Result& b);

/// Returns other differences, such as the commit, the flags, or the state of the machine. These may
/// be the subject of the comparison.
std::vector<std::string> circumstances(const Result& a, const Result& b);

struct Comparison {
  std::string text;  // circumstances, obstacles, and a line for each id
  bool complete;     // false if some figures must not be compared
};

Comparison compare(const Result& a, const Result& b);

}  // namespace bench
