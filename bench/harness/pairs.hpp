#pragma once

/// Measuring against a baseline: both in turn, A B A B, so that a machine that drifts drifts under
/// both. The ratio of the medians is the result, the quartiles of the ratios of the pairs its
/// spread.

#include "bench/harness/figure.hpp"

#include <functional>

namespace bench {

/// What one run of a subject or a baseline has measured, and whether its result was right.
struct Measurement {
  Measurement(double measured, bool right = true) : value(measured), verified(right) {}

  double value;
  bool verified;
};

/// Runs once and measures.
typedef std::function<Measurement()> Body;

struct PairOptions {
  Better better = Better::Lower;
  Ratio ratio = Ratio::ValueOverBaseline;

  /// An odd number has a median that was measured.
  int pairs = 15;
  int quick_pairs = 5;

  /// For figures that involve two processors: the half round trip of a cache line between these, in
  /// any unit. A pair during which it changes by more than kFlip is measured again.
  std::function<double()> ping_pong;

  /// A machine that flips all the time ends up with pairs that straddle a flip.
  int max_repeats = 30;
};

/// The regimes of a cache line's way between two processors are a factor of five apart, and within
/// one it varies by tens of percent.
constexpr double kFlip = 2;

/// True if one of the two is more than kFlip times the other. Not if one is 0: unknown.
bool straddles_flip(double ping_pong_before, double ping_pong_after);

/// Runs `subject` and `baseline` in turn, `pairs` times and more often where pairs are repeated.
/// Ends early, with a figure that is not verified, as soon as one of them says that its result is
/// wrong.
Figure measure_pairs(const Question& question, const Body& subject, const Body& baseline, int pairs,
                     const PairOptions& options);

}  // namespace bench
