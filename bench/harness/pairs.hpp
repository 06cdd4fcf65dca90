#pragma once

/// Compares a subject with a baseline. Both run alternately, A B A B, so a drift of the machine
/// affects both. The result is the ratio of the medians. Its spread is the quartiles of the ratios
/// of the pairs.

#include "bench/harness/figure.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace bench {

/// The result of one run of a subject or a baseline, and whether it was right.
struct Measurement {
  Measurement(double measured, bool right = true) : value(measured), verified(right) {}

  double value;
  bool verified;
};

/// Runs and measures the operation once.
typedef std::function<Measurement()> Body;

struct PairOptions {
  Better better = Better::Lower;
  Ratio ratio = Ratio::ValueOverBaseline;

  /// The wanted number of pairs. If the number is odd, the median is a measured value.
  int pairs = 15;
  int quick_pairs = 5;

  /// For figures that involve two processors: a function that measures half the round trip of a
  /// cache line between them. All counted pairs of a figure are then from one regime (PairCount).
  std::function<double()> ping_pong;

  /// The largest number of pairs beyond `pairs`, on a machine whose regime changes.
  int max_repeats = 30;
};

/// The regimes of the transfer of a cache line between two processors differ by a factor of about
/// five; within a regime, the transfer time varies by tens of percent.
constexpr double kFlip = 2;

/// Returns true if one time is more than kFlip times the other, and false if one is 0 (unknown).
bool straddles_flip(double ping_pong_before, double ping_pong_after);

/// Selects the pairs of a figure. A pair belongs to a regime if the pair started and ended in that
/// regime; otherwise the pair belongs to no regime. Measuring ends when one regime has `wanted`
/// pairs, or after `wanted + max_repeats` pairs. The pairs of the most frequent regime are counted;
/// if no pair belongs to a regime, all pairs are counted.
class PairCount {
 public:
  PairCount(int wanted, int max_repeats) : wanted_(wanted), most_(wanted + max_repeats) {}

  /// Adds the next pair.
  void add(double ping_pong_before, double ping_pong_after);

  /// Returns true if enough pairs have been measured.
  bool done() const;

  /// Returns a value for each pair: true if the pair is counted.
  std::vector<bool> counted() const;

 private:
  enum : int { kNoRegime = -1 };

  int regime_with_most_pairs() const;

  const int wanted_;
  const size_t most_;
  std::vector<double> regimes_;  // transfer time of the first pair of each regime
  std::vector<int> pairs_of_;    // number of pairs, by regime
  std::vector<int> regime_of_;   // regime, by pair
};

/// Runs `subject` and `baseline` alternately until `pairs` pairs of one regime are measured
/// (PairCount). If one of them reports a wrong result, returns early with a figure that is not
/// verified.
Figure measure_pairs(const Question& question, const Body& subject, const Body& baseline, int pairs,
                     const PairOptions& options);

}  // namespace bench
