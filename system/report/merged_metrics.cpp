#include "system/report/merged_metrics.hpp"

#include "system/base/check.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"
#include "system/report/fetch.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iomanip>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

namespace Grappa::detail {
namespace {

typedef nlohmann::ordered_json Json;
constexpr auto kReplace = Json::error_handler_t::replace;  // for invalid UTF-8

/// A hash of the names of all metrics, in the order of the registry.
uint64_t registry_mark() {
  std::string names;
  for (const Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    names.append(metric->name()).push_back('\0');
  }
  return std::hash<std::string>()(names);
}

/// The hash, then the readings of this core, in the order of the registry.
std::string readings_here() {
  const uint64_t mark = registry_mark();
  std::string bytes(reinterpret_cast<const char*>(&mark), sizeof mark);
  for (const Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    metric->read().append_to(&bytes);
  }
  return bytes;
}

bool before(const char* name, const char* other) { return std::strcmp(name, other) < 0; }

/// Merges the results of readings_here() on all cores.
std::vector<MergedMetric> merged(const std::vector<std::string>& of_cores) {
  std::vector<MergedMetric> metrics;
  for (const Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    metrics.push_back({metric, Reading(), {}});
  }
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
    return before(a.metric->name(), b.metric->name());
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

Json buckets_as_json(const std::vector<uint64_t>& counts) {
  Json buckets = Json::array();
  for (size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    buckets.push_back({{"below", Histogram::end_of(k)}, {"count", counts[k]}});
  }
  return buckets;
}

Json as_json(const Reading& reading) {
  switch (reading.kind) {
    case Reading::Kind::Signed: return reading.as_signed;
    case Reading::Kind::Unsigned: return reading.as_unsigned;
    case Reading::Kind::Real: return reading.as_real;
    case Reading::Kind::Text: return reading.text;
    case Reading::Kind::Summary: break;
    case Reading::Kind::Histogram:
      return {{"count", static_cast<uint64_t>(reading.number())},
              {"buckets", buckets_as_json(reading.buckets)}};
  }
  const Summary& summary = reading.summary;
  return {{"count", summary.count()},
          {"mean", summary.mean()},
          {"stddev", summary.stddev()},
          {"min", summary.min()},
          {"max", summary.max()}};
}

}  // namespace

std::vector<MergedMetric> merge_metrics() { return merged(fetch_from_all(readings_here)); }

std::vector<MergedMetric> merge_metrics_together() {
  return merged(world().gather_texts(readings_here()));
}

std::vector<MergedMetric> metrics_of_this_core() { return merged({readings_here()}); }

std::string metrics_text(const std::vector<MergedMetric>& metrics) {
  std::string text;
  for (const MergedMetric& each : metrics) {
    if (each.value.is_zero()) continue;
    std::ostringstream columns;
    columns << std::left << std::setw(32) << each.metric->name() << ' ' << std::right
            << std::setw(14) << each.value.to_text() << ' ' << std::left << std::setw(10)
            << each.metric->unit() << ' ' << each.metric->meaning();
    std::string line = columns.str();
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string metric_json(const Metric& metric, const Reading& value) {
  const auto member = [](const std::string& name, const Json& content) {
    return Json(name).dump(-1, ' ', false, kReplace) + ": " +
           content.dump(-1, ' ', false, kReplace);
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
  out << file.dump(1, ' ', false, kReplace) << "\n";
}

void check_metric_names() {
  std::vector<const char*> names;
  for (const Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    names.push_back(metric->name());
  }
  std::sort(names.begin(), names.end(), before);
  for (size_t k = 1; k < names.size(); ++k) {
    GRAPPA_CHECK(std::strcmp(names[k - 1], names[k]) != 0)
        << "two metrics are called " << names[k] << ": give one of them another name";
  }
}

}  // namespace Grappa::detail
