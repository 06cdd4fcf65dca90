#pragma once

/// Statistics of repeated measurements, as the Graph500 benchmark reports them.

#include <vector>

namespace apps {

struct Summary {
  double min;
  double first_quartile;
  double median;
  double third_quartile;
  double max;
  double mean;
  double stddev;  // of the sample (n - 1); 0 for a single value
};

/// Summarizes `values`: at least one value, in any order. Quartiles interpolate linearly between
/// the two nearest ranks (type 7 of R. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages",
/// The American Statistician 50, 1996).
Summary summarize(std::vector<double> values);

struct HarmonicSummary {
  double mean;
  double stddev;
};

/// Returns the harmonic mean of rates (TEPS) and its standard error, as in Graph500. Both are 0 if
/// a rate is 0. `rates` has at least one value. (N. Norris, "The Standard Errors of the Geometric
/// and Harmonic Means and Their Application to Index Numbers", The Annals of Mathematical
/// Statistics 11, 1940.)
HarmonicSummary summarize_rates(const std::vector<double>& rates);

}  // namespace apps
