/// The metrics in the output of --report_json and --trace: every core counts, and core 0 reads the
/// files after the job has ended.

#include "system/report/trace_file.hpp"

#include <Grappa.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include <unistd.h>

GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, visits, 0, "cells", "seen");
GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, turns, 0);
GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, after_the_trace, 0);

DECLARE_string(report_json);
DECLARE_string(trace);
DECLARE_int64(trace_interval_ms);
DEFINE_bool(samples, true, "whether the program calls start_tracing");

namespace {

typedef nlohmann::json Json;

constexpr int64_t kVisits = 10000;

int failures = 0;

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "core %d: %s\n", static_cast<int>(Grappa::mycore()), what);
  ++failures;
}

Json contents(const std::string& path) {
  Json json;
  std::ifstream(path) >> json;
  ::unlink(path.c_str());
  return json;
}

void check_metrics(const Json& report, int64_t cores) {
  const Json& metric = report["metrics"]["visits"];
  expect(report["cores"] == cores, "the number of cores is there");
  expect(metric["value"] == kVisits, "the values of all cores are added up");
  expect(metric["per_core"].size() == static_cast<size_t>(cores), "each core has a value");
  int64_t sum = 0;
  for (const Json& value : metric["per_core"]) sum += value.get<int64_t>();
  expect(sum == kVisits, "the values of the cores add up to it");
  expect(report["metrics"]["tasking.tasks"]["value"] > 0, "the file has counters, too");
}

/// The last point of each core's curve must be its final value.
void check_trace(const Json& file, const Json& report) {
  std::map<int, int64_t> last;
  size_t names = 0;
  for (const Json& event : file["traceEvents"]) {
    if (event["name"] == "process_name") ++names;
    if (event["name"] == "visits") last[event["pid"]] = event["args"]["cells"];
    if (event["name"] == "after_the_trace") {
      expect(event["args"]["value"] == 0, "the trace has no later values");
    }
  }
  const Json& per_core = report["metrics"]["visits"]["per_core"];
  expect(names == per_core.size(), "each core has a name in the trace");
  expect(last.size() == (FLAGS_samples ? per_core.size() : 0), "each core has a curve");
  for (const auto& point : last) {
    expect(per_core[static_cast<size_t>(point.first)] == point.second, "it ends at its total");
  }
}

/// Waits until this core has taken a sample. Every core takes samples while a trace is recorded.
void wait_for_a_sample() {
  const size_t before = Grappa::detail::the_trace_file->samples().points().size();
  while (Grappa::detail::the_trace_file->samples().points().size() == before) {
    ++turns;
    Grappa::yield();
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  // Each core passes its own file names; only those of core 0 are used.
  char folder[] = "/tmp/metrics_file_test_XXXXXX";
  if (::mkdtemp(folder) == nullptr) return 1;
  FLAGS_report_json = std::string(folder) + "/metrics";
  FLAGS_trace = std::string(folder) + "/trace";
  FLAGS_trace_interval_ms = 1;
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    if (FLAGS_samples) Grappa::Metrics::start_tracing();
    Grappa::forall(0, kVisits, [](int64_t) { ++visits; });
    if (FLAGS_samples) Grappa::on_all_cores(wait_for_a_sample);
    Grappa::Metrics::stop_tracing();
    Grappa::on_all_cores([] { after_the_trace = 1; });
  });
  const int64_t cores = Grappa::cores();
  const bool first = Grappa::mycore() == 0;
  const int finalized = Grappa::finalize();
  if (first) {
    const Json report = contents(FLAGS_report_json);
    check_metrics(report, cores);
    check_trace(contents(FLAGS_trace), report);
  }
  ::rmdir(folder);
  return failures == 0 ? finalized : 1;
}
