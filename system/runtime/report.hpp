#pragma once

/// Counters and metrics while the program runs: printing, writing, resetting, tracing them.
///
/// Every value is what its core has counted when the request reaches it, so count what is of
/// interest in a scope that has ended. --report_json and --metrics_json write all of them at the
/// end of the job without a line in the program.

#include <iosfwd>
#include <string>

namespace Grappa {

namespace detail {

class Metric;

/// Prints what this core has, as a line of Metrics::merge_and_print().
std::ostream& operator<<(std::ostream& out, const Metric& metric);

}  // namespace detail

namespace Metrics {

/// Prints those of this core that are not zero, a line each, to stdout or to `out`.
void print();
void print(std::ostream& out);

/// All metrics of all cores together, those that are zero too, as one JSON object between STATS and
/// STATS: a line `"name": value` each; of samples their sum, and "name_count", "name_mean",
/// "name_stddev", "name_min" and "name_max" on the same line. From: task, on any core. Suspends:
/// until all cores have answered. Messages: 2 for each core.
void merge_and_print();
void merge_and_print(std::ostream& out);

/// Writes all metrics, merged and of each core, to a file of this core's machine, as JSON (the form
/// is in runtime/merged_metrics.hpp). One that cannot be written ends the job with one line and
/// status 2. From: task, on any core. Suspends: until all cores have answered. Messages: 2 for each
/// core.
void merge_and_dump_to_file(const std::string& path = "metrics.json");

/// Begins to count anew on this core, the runtime's own counters included.
void reset();

/// The same on every core. From: task. Suspends: until all have. Messages: about 2 for each other
/// core.
void reset_all_cores();

/// From here to stop_tracing() every core samples all metrics, each --trace_interval_ms, for the
/// file of --trace_file or --trace; without either both do nothing. May be called again after a
/// stop: the file has all that was traced. From: task, one for all cores. Suspends: until all do.
/// Messages: about 2 for each other core.
void start_tracing();
void stop_tracing();

}  // namespace Metrics
}  // namespace Grappa
