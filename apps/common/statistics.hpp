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
  double stddev;  // of the sample (n - 1); 0 for one value
};

/// `values` in any order, at least one. Quartiles interpolate linearly between the two nearest
/// ranks (type 7 of R. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages", The American
/// Statistician 50, 1996).
Summary summarize(std::vector<double> values);

struct HarmonicSummary {
  double mean;
  double stddev;
};

/// Mean of rates (TEPS), and its standard error as Graph500 gives it (N. Norris, "The Standard
/// Errors of the Geometric and Harmonic Means and Their Application to Index Numbers", The Annals
/// of Mathematical Statistics 11, 1940). `rates` has at least one value. Both are 0 if a rate is 0.
HarmonicSummary summarize_rates(const std::vector<double>& rates);

}  // namespace apps
