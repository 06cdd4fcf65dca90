#pragma once

/// What two runs of one benchmark say about each other, and whether they may be compared at all.

#include "bench/harness/result.hpp"

#include <string>
#include <vector>

namespace bench {

enum class Verdict {
  Same,           // no difference beyond both spreads
  Better,         // the second is
  Worse,          // the second is
  NotVerified,    // one of the two stems from a wrong result
  OtherQuestion,  // unit, baseline or sense of the ratio have changed
  OtherRegime     // a cache line took another time between the processors that both depend on
};

/// Figures with a baseline are judged by ratio, others by value. They differ if each lies outside
/// of the other's spread; ratios by more than a hundredth, too. The figures are of these results.
Verdict judge(const Result& a, const Figure& of_a, const Result& b, const Figure& of_b);

/// Why nothing in the two may be compared: other hardware, another number of cores. Empty if it
/// may.
std::vector<std::string> obstacles(const Result& a, const Result& b);

/// Other circumstances that differ: commit, flags, the state of the machine. They may be the point
/// of the comparison.
std::vector<std::string> circumstances(const Result& a, const Result& b);

struct Comparison {
  std::string text;  // circumstances, obstacles, and a line for each id
  bool complete;     // nothing had to be left out because it must not be compared
};

Comparison compare(const Result& a, const Result& b);

}  // namespace bench
