#pragma once

/// Measuring against a baseline: both in turn, A B A B, so that a machine that drifts drifts under
/// both. The ratio of the medians is the result, the quartiles of the ratios of the pairs its
/// spread.

#include "bench/harness/figure.hpp"

#include <cstddef>
#include <functional>
#include <vector>

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
  /// any unit. All pairs of a figure are from one regime (PairCount).
  std::function<double()> ping_pong;

  /// Pairs that are measured beyond `pairs`, at most, on a machine whose regime changes.
  int max_repeats = 30;
};

/// The regimes of a cache line's transfer between two processors are a factor of five apart, and
/// within one it varies by tens of percent.
constexpr double kFlip = 2;

/// True if one of the two is more than kFlip times the other. False if one is 0, which means
/// unknown.
bool straddles_flip(double ping_pong_before, double ping_pong_after);

/// Decides which pairs make up a figure. A pair belongs to the regime in which it began and ended;
/// a pair during which the regime changed belongs to none. Measuring ends when one regime has
/// `wanted` pairs, or after `wanted + max_repeats` pairs. The pairs of the regime that has the most
/// of them count; if all pairs straddle a flip, all count.
class PairCount {
 public:
  PairCount(int wanted, int max_repeats) : wanted_(wanted), most_(wanted + max_repeats) {}

  /// Enters the next pair.
  void add(double ping_pong_before, double ping_pong_after);

  /// True if no more pairs are to be measured.
  bool done() const;

  /// For each pair whether it counts.
  std::vector<bool> counted() const;

 private:
  enum : int { kNoRegime = -1 };

  int regime_with_most_pairs() const;

  const int wanted_;
  const size_t most_;
  std::vector<double> regimes_;  // transfer times of the first pair of each
  std::vector<int> pairs_of_;    // by regime
  std::vector<int> regime_of_;   // by pair
};

/// Runs `subject` and `baseline` in turn, `pairs` times in one regime (PairCount). Ends early, with
/// a figure that is not verified, as soon as one of them reports that its result is wrong.
Figure measure_pairs(const Question& question, const Body& subject, const Body& baseline, int pairs,
                     const PairOptions& options);

}  // namespace bench
