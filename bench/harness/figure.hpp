#pragma once

/// One number that a benchmark reports, with all that it was derived from.

#include <string>
#include <vector>

namespace bench {

/// Which values are good.
enum class Better { Lower, Higher };

/// What `ratio` is: so that tables can state it in the sense that is natural for the question.
enum class Ratio { ValueOverBaseline, BaselineOverValue };

/// What a figure answers. `id` names it in documents, and `unit` holds for value and baseline.
struct Question {
  std::string id;
  std::string what;
  std::string unit;
  std::string baseline;  // what it is compared with; empty without baseline
};

/// The quartiles of a sample.
struct Spread {
  double low;
  double high;
};

/// The baseline was measured right after the value.
struct Repetition {
  double value;
  double baseline_value;
  double ping_pong_before_ns;  // 0 where the figure does not depend on it
  double ping_pong_after_ns;
  bool counted;  // false if the pair is of another regime than the figure, or straddles a flip
};

struct Figure {
  Question question;
  Better better = Better::Lower;  // of values; of ratios see better_ratio()
  Ratio ratio_sense = Ratio::ValueOverBaseline;
  bool verified = true;

  double value = 0;  // the median of the repetitions that count
  Spread value_spread = {0, 0};

  /// The rest holds for figures with a baseline only.
  double baseline_value = 0;
  double ratio = 0;        // of the medians
  Spread spread = {0, 0};  // of the ratios of the pairs
  int repeats = 0;         // pairs that do not count
  double line_ns = 0;      // the regime: median ping-pong of the pairs that count; 0 if unknown
  std::vector<Repetition> repetitions;

  bool has_baseline() const { return !question.baseline.empty(); }

  /// Which ratios are good.
  Better better_ratio() const {
    if (ratio_sense == Ratio::ValueOverBaseline) return better;
    return better == Better::Lower ? Better::Higher : Better::Lower;
  }
};

/// A figure without repetitions or baseline: a counter, a size.
Figure count(const Question& question, double value);

}  // namespace bench
