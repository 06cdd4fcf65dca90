#pragma once

/// One number of a benchmark, with all data from which the number was computed.

#include <string>
#include <vector>

namespace bench {

/// States whether lower or higher values are better.
enum class Better { Lower, Higher };

/// The direction of `ratio`, which depends on the question.
enum class Ratio { ValueOverBaseline, BaselineOverValue };

/// The question that a figure answers. Documents quote `id`. Value and baseline have the unit
/// `unit`.
struct Question {
  std::string id;
  std::string what;
  std::string unit;
  std::string baseline;  // empty if there is no baseline
};

/// The quartiles of a sample.
struct Spread {
  double low;
  double high;
};

/// One measurement of the value, followed by one measurement of the baseline.
struct Repetition {
  double value;
  double baseline_value;
  double ping_pong_before_ns;  // 0 if the figure does not depend on it
  double ping_pong_after_ns;
  bool counted;  // false if the regime of the pair is not that of the figure, or is unclear
};

struct Figure {
  Question question;
  Better better = Better::Lower;  // the direction for values; for ratios see better_ratio()
  Ratio ratio_sense = Ratio::ValueOverBaseline;
  bool verified = true;

  double value = 0;  // median of the counted repetitions
  Spread value_spread = {0, 0};

  /// The remaining members are valid only for figures with a baseline.
  double baseline_value = 0;
  double ratio = 0;        // ratio of the medians
  Spread spread = {0, 0};  // spread of the ratios of the pairs
  int repeats = 0;         // pairs that are not counted
  double line_ns = 0;      // the regime: median ping-pong of the counted pairs; 0 if unknown
  std::vector<Repetition> repetitions;

  bool has_baseline() const { return !question.baseline.empty(); }

  /// Returns whether lower or higher ratios are better.
  Better better_ratio() const {
    if (ratio_sense == Ratio::ValueOverBaseline) return better;
    return better == Better::Lower ? Better::Higher : Better::Lower;
  }
};

/// Returns a figure without repetitions or baseline, for example a counter or a size.
Figure count(const Question& question, double value);

}  // namespace bench
