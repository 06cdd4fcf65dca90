#include "system/report/report.hpp"

#include "system/base/input_error.hpp"
#include "system/observe/metric.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/report/merged_metrics.hpp"
#include "system/report/trace_file.hpp"
#include "system/tasking/scheduler.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

namespace Grappa {

std::ostream& detail::operator<<(std::ostream& out, const Metric& metric) {
  return out << metric_json(metric, metric.read());
}

namespace Metrics {

void print() { print(std::cout); }

void print(std::ostream& out) {
  out << detail::metrics_text(detail::metrics_of_this_core()) << std::flush;
}

void merge_and_print() { merge_and_print(std::cout); }

void merge_and_print(std::ostream& out) {
  out << "STATS{";
  const char* separator = "\n  ";
  for (const detail::MergedMetric& each : detail::merge_metrics()) {
    out << separator << detail::metric_json(*each.metric, each.value);
    separator = ",\n  ";
  }
  out << "\n}STATS" << std::endl;
}

void merge_and_dump_to_file(const std::string& path) {
  const std::vector<detail::MergedMetric> metrics = detail::merge_metrics();
  errno = 0;
  std::ofstream file(path);
  if (file) detail::write_metrics_json(file, metrics);
  file.close();
  if (file) return;
  std::string sentence = "metrics cannot be written to \"" + path + "\"";
  if (errno != 0) sentence += std::string(": ") + std::strerror(errno);
  input_error(sentence);
}

void reset() {
  // The running activity began before the reset, and only its time after the reset counts.
  if (detail::in_job()) detail::scheduler().turn_to(detail::Activity::Running);
  detail::reset_metrics();
}

void reset_all_cores() {
  on_all_cores([] { reset(); });
}

void start_tracing() {
  if (detail::the_trace_file == nullptr) return;
  on_all_cores([] { detail::the_trace_file->samples().start(); });
}

void stop_tracing() {
  if (detail::the_trace_file == nullptr) return;
  on_all_cores([] { detail::the_trace_file->samples().stop(); });
}

}  // namespace Metrics
}  // namespace Grappa
