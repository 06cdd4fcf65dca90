#pragma once

/// All counters and metrics as all cores have them, and the forms in which they are written.

#include "system/observe/metric.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

struct MergedMetric {
  const Metric* metric;
  Reading value;                  // of all cores together
  std::vector<Reading> per_core;  // by core
};

/// By name. From: task. Suspends: until all cores have answered. Messages: 2 for each core; more
/// where there are so many metrics that they fit no buffer.
std::vector<MergedMetric> merge_metrics();

/// The same where no task can run: called by all cores together, outside of run.
std::vector<MergedMetric> merge_metrics_together();

/// Those of this core alone.
std::vector<MergedMetric> metrics_of_this_core();

/// One line for each that is not zero: name, value, unit, meaning.
std::string metrics_text(const std::vector<MergedMetric>& metrics);

/// `"name": value` in JSON. Of samples: their sum, and `"name_count"`, `"name_mean"`,
/// `"name_stddev"`, `"name_min"` and `"name_max"` behind it, separated by commas.
std::string metric_json(const Metric& metric, const Reading& value);

/// All of them as JSON, those that are zero too:
///
///     {"cores": 2, "metrics": {"message.runs": {"unit": "runs", "meaning": "sent", "total": "sum",
///                                               "value": 7, "per_core": [3, 4]}, ...}}
///
/// `total` is how the values of all cores became one: sum, max, samples or first. A value is a
/// number, a text, an object {count, mean, stddev, min, max}, or of a histogram {count, buckets:
/// [{below, count}...]} with the buckets that are not empty, each the samples below its power of
/// two that are in no earlier one. What is not finite is null.
void write_metrics_json(std::ostream& out, const std::vector<MergedMetric>& metrics);

/// Ends the job with a sentence if two metrics have one name: reports could not tell them apart.
void check_metric_names();

}  // namespace detail
}  // namespace Grappa
