#pragma once

/// Prints, writes, resets and traces counters and metrics while the program runs. Each core reads
/// its values when the request arrives, so call these functions after the scope of interest has
/// ended.

#include <iosfwd>
#include <string>

namespace Grappa {

namespace detail {

class Metric;

/// Prints the value of this core, in the format of Metrics::merge_and_print().
std::ostream& operator<<(std::ostream& out, const Metric& metric);

}  // namespace detail

namespace Metrics {

/// Prints the metrics of this core that are not zero, one per line, to stdout or to `out`.
void print();
void print(std::ostream& out);

/// Prints the metrics of all cores, merged, including zeros, as one JSON object between STATS and
/// STATS. Each line is `"name": value`. For samples, value is their sum, and "name_count",
/// "name_mean", "name_stddev", "name_min" and "name_max" follow on the same line. From: task, on
/// any core. Suspends: until all cores have answered. Messages: 2 for each core.
void merge_and_print();
void merge_and_print(std::ostream& out);

/// Writes all metrics, merged and per core, as JSON to a file on this core's machine. The format is
/// in report/job_report.hpp. If the file cannot be written, the job ends with one line and status
/// 2. From: task, on any core. Suspends: until all cores have answered. Messages: 2 for each core.
void merge_and_dump_to_file(const std::string& path = "metrics.json");

/// Resets all counters and metrics of this core, including those of the runtime.
void reset();

/// Like reset(), on every core. From: task. Suspends: until all cores have reset their metrics.
/// Messages: about 2 for each other core.
void reset_all_cores();

/// Between the two calls, every core samples all metrics every --trace_interval_ms for the file of
/// --trace. Without this flag, both functions do nothing. After a stop, tracing may start again:
/// the file then has all samples. From: task; one task calls it for all cores. Suspends: until all
/// cores have started or stopped. Messages: about 2 for each other core.
void start_tracing();
void stop_tracing();

}  // namespace Metrics
}  // namespace Grappa
