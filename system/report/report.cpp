#include "system/report/report.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/net/topology.hpp"
#include "system/net/transport.hpp"
#include "system/net/world.hpp"
#include "system/observe/json.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/report/fetch.hpp"
#include "system/report/job_report.hpp"
#include "system/report/trace_file.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace Grappa {
namespace detail {
namespace {

uint64_t registry_mark() {
  std::string names;
  for (const Metric* metric : metrics_by_age()) names.append(metric->name()).push_back('\0');
  return std::hash<std::string>()(names);
}

/// Returns a hash of the names of all metrics, then this core's readings, in registry order.
std::string readings_here() {
  const uint64_t mark = registry_mark();
  std::string bytes(reinterpret_cast<const char*>(&mark), sizeof mark);
  for (const Metric* metric : metrics_by_age()) metric->read().append_to(&bytes);
  return bytes;
}

/// Merges the results of readings_here() on all cores, and sorts the metrics by name.
std::vector<MergedMetric> merged(const std::vector<std::string>& of_cores) {
  std::vector<MergedMetric> metrics;
  for (const Metric* metric : metrics_by_age()) metrics.push_back({metric, Reading(), {}});
  const uint64_t mark = registry_mark();
  for (const std::string& bytes : of_cores) {
    GRAPPA_CHECK(std::memcmp(bytes.data(), &mark, sizeof mark) == 0)
        << "cores have different metrics, or have them in another order: define them at file scope";
    const char* at = bytes.data() + sizeof mark;
    const char* const end = bytes.data() + bytes.size();
    for (MergedMetric& each : metrics) {
      each.per_core.push_back(Reading::take_from(&at, end));
      if (each.per_core.size() == 1) {
        each.value = each.per_core[0];
      } else {
        each.value.merge(each.per_core.back());
      }
    }
    GRAPPA_DCHECK(at == end);
  }
  std::sort(metrics.begin(), metrics.end(), [](const MergedMetric& a, const MergedMetric& b) {
    return std::strcmp(a.metric->name(), b.metric->name()) < 0;
  });
  return metrics;
}

const char* total_of(const Reading& reading) {
  switch (reading.kind) {
    case Reading::Kind::Summary:
    case Reading::Kind::Histogram: return "samples";
    case Reading::Kind::Text: return "first";
    default: return reading.total == Total::Max ? "max" : "sum";
  }
}

Json as_json(const Reading& reading) {
  switch (reading.kind) {
    case Reading::Kind::Signed: return reading.as_signed;
    case Reading::Kind::Unsigned: return reading.as_unsigned;
    case Reading::Kind::Real: return reading.as_real;
    case Reading::Kind::Text: return reading.text;
    case Reading::Kind::Summary: break;
    case Reading::Kind::Histogram: {
      Json buckets = Json::array();
      for (size_t k = 0; k < reading.buckets.size(); ++k) {
        const uint64_t count = reading.buckets[k];
        if (count != 0) buckets.push_back({{"below", Histogram::end_of(k)}, {"count", count}});
      }
      return {{"count", static_cast<uint64_t>(reading.number())}, {"buckets", buckets}};
    }
  }
  const Summary& summary = reading.summary;
  return {{"count", summary.count()},
          {"mean", summary.mean()},
          {"stddev", summary.stddev()},
          {"min", summary.min()},
          {"max", summary.max()}};
}

/// Returns the text of a metric in Metrics::merge_and_print().
std::string metric_json(const Metric& metric, const Reading& value) {
  const auto member = [](const std::string& name, const Json& content) {
    return text_of(name) + ": " + text_of(content);
  };
  const std::string name = metric.name();
  if (value.kind != Reading::Kind::Summary) return member(name, as_json(value));
  std::string text = member(name, value.summary.sum());
  const Json statistics = as_json(value);
  for (const auto& each : statistics.items()) {
    text += ", " + member(name + "_" + each.key(), each.value());
  }
  return text;
}

}  // namespace

std::vector<MergedMetric> merge_metrics() { return merged(fetch_from_all(readings_here)); }

std::vector<MergedMetric> merge_metrics_together() {
  return merged(world().gather_texts(readings_here()));
}

void write_metrics_json(std::ostream& out, const std::vector<MergedMetric>& metrics,
                        const std::string& report) {
  Json all = Json::object();
  for (const MergedMetric& each : metrics) {
    Json per_core = Json::array();
    for (const Reading& reading : each.per_core) per_core.push_back(as_json(reading));
    all[each.metric->name()] = {{"unit", each.metric->unit()},
                                {"meaning", each.metric->meaning()},
                                {"total", total_of(each.value)},
                                {"value", as_json(each.value)},
                                {"per_core", per_core}};
  }
  Json file = Json::object();
  if (!report.empty()) file["report"] = Json::parse(report);
  file["cores"] = cores();
  file["metrics"] = all;
  out << text_of(file, 1) << "\n";
}

void check_metric_names() {
  const std::vector<MergedMetric> sorted = merged({});
  for (size_t k = 1; k < sorted.size(); ++k) {
    const char* const name = sorted[k].metric->name();
    GRAPPA_CHECK(std::strcmp(sorted[k - 1].metric->name(), name) != 0)
        << "two metrics are called " << name << ": give one of them another name";
  }
}

std::ostream& operator<<(std::ostream& out, const Metric& metric) {
  return out << metric_json(metric, metric.read());
}

}  // namespace detail

namespace Metrics {

void print() { print(std::cout); }

void print(std::ostream& out) {
  std::string text;
  for (const detail::MergedMetric& each : detail::merged({detail::readings_here()})) {
    if (each.value.is_zero()) continue;
    std::ostringstream columns;
    columns << std::left << std::setw(32) << each.metric->name() << ' ' << std::right
            << std::setw(14) << each.value.to_text() << ' ' << std::left << std::setw(10)
            << each.metric->unit() << ' ' << each.metric->meaning();
    const std::string line = columns.str();
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  out << text << std::flush;  // at once, because other cores may print, too
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
  // The running activity began before the reset. Only its time after the reset must count.
  if (detail::in_job()) {
    detail::scheduler().turn_to(detail::Activity::Running);
    detail::transport().reset_traffic();
  }
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
