#pragma once

/// The counters and metrics of all cores, merged, and their output formats.

#include "system/observe/metric.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

struct MergedMetric {
  const Metric* metric;
  Reading value;                  // merged over all cores
  std::vector<Reading> per_core;  // by core
};

/// The merged metrics, sorted by name. From: task. Suspends: until all cores have answered.
/// Messages: 2 for each core; more if the metrics do not fit in one buffer.
std::vector<MergedMetric> merge_metrics();

/// merge_metrics() on core 0, outside of run. On other cores the metrics have no values. Called by
/// all cores together.
std::vector<MergedMetric> merge_metrics_together();

/// The metrics of this core alone.
std::vector<MergedMetric> metrics_of_this_core();

/// One line for each metric that is not zero: name, value, unit, meaning.
std::string metrics_text(const std::vector<MergedMetric>& metrics);

/// `"name": value` in JSON. For samples, value is their sum, and `"name_count"`, `"name_mean"`,
/// `"name_stddev"`, `"name_min"` and `"name_max"` follow, separated by commas.
std::string metric_json(const Metric& metric, const Reading& value);

/// Writes all metrics as JSON, including those that are zero:
///
///     {"cores": 2, "metrics": {"message.runs": {"unit": "runs", "meaning": "sent", "total": "sum",
///                                               "value": 7, "per_core": [3, 4]}, ...}}
///
/// `total` says how the values of all cores were merged: sum, max, samples or first. A value is a
/// number, a text, an object {count, mean, stddev, min, max}, or for a histogram {count, buckets:
/// [{below, count}...]}. A bucket counts the samples below its power of two that no earlier bucket
/// counts; empty buckets are omitted. Infinity and NaN are written as null. `report` is JSON that
/// is written first, under the name "report"; empty: no such member.
void write_metrics_json(std::ostream& out, const std::vector<MergedMetric>& metrics,
                        const std::string& report = "");

/// Aborts the job if two metrics have the same name: reports could not distinguish them.
void check_metric_names();

}  // namespace detail
}  // namespace Grappa
