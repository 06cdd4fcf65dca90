#include "apps/common/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace apps {
namespace {

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / double(values.size());
}

// Computes the standard deviation of a sample, with n - 1 degrees of freedom.
double sample_stddev(const std::vector<double>& values, double mean) {
  if (values.size() < 2) return 0;
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / double(values.size() - 1));
}

double quantile(const std::vector<double>& sorted, double fraction) {
  const double rank = fraction * double(sorted.size() - 1);
  const size_t below = size_t(rank);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Summary summarize(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  Summary summary;
  summary.min = values.front();
  summary.first_quartile = quantile(values, 0.25);
  summary.median = quantile(values, 0.5);
  summary.third_quartile = quantile(values, 0.75);
  summary.max = values.back();
  summary.mean = mean_of(values);
  summary.stddev = sample_stddev(values, summary.mean);
  return summary;
}

HarmonicSummary summarize_rates(const std::vector<double>& rates) {
  HarmonicSummary summary = {0, 0};
  std::vector<double> inverses;
  for (const double rate : rates) {
    if (rate <= 0) return summary;
    inverses.push_back(1 / rate);
  }
  const double inverse_mean = mean_of(inverses);
  summary.mean = 1 / inverse_mean;
  if (rates.size() > 1) {
    summary.stddev = sample_stddev(inverses, inverse_mean) * summary.mean * summary.mean /
                     std::sqrt(double(rates.size() - 1));
  }
  return summary;
}

}  // namespace apps
