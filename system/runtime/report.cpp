#include "system/runtime/report.hpp"

#include "system/base/input_error.hpp"
#include "system/observe/metric.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/runtime/merged_metrics.hpp"
#include "system/runtime/trace_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

namespace Grappa {
namespace Metrics {

void print() { print(std::cout); }

void print(std::ostream& out) { out << metrics_text(metrics_of_this_core()) << std::flush; }

void merge_and_print() { merge_and_print(std::cout); }

void merge_and_print(std::ostream& out) { out << metrics_text(merge_metrics()) << std::flush; }

void merge_and_dump_to_file(const std::string& path) {
  const std::vector<MergedMetric> metrics = merge_metrics();
  errno = 0;
  std::ofstream file(path);
  if (file) write_metrics_json(file, metrics);
  file.close();
  if (file) return;
  std::string sentence = "metrics cannot be written to \"" + path + "\"";
  if (errno != 0) sentence += std::string(": ") + std::strerror(errno);
  input_error(sentence);
}

void reset() { reset_metrics(); }

void reset_all_cores() {
  on_all_cores([] { reset_metrics(); });
}

void start_tracing() {
  if (detail::the_trace == nullptr) return;
  on_all_cores([] { detail::the_trace->start(); });
}

void stop_tracing() {
  if (detail::the_trace == nullptr) return;
  on_all_cores([] { detail::the_trace->stop(); });
}

}  // namespace Metrics
}  // namespace Grappa
