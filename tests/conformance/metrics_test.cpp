/// Reference section "Metrics".

#include <Grappa.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include <unistd.h>

int64_t asked = 0;  // on each core
int64_t ask() { return ++asked; }
double half() { return 0.5; }

GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, conf_steps, 0);
GRAPPA_DEFINE_METRIC(SimpleMetric<double>, conf_distance, 2.5);
GRAPPA_DEFINE_METRIC(Grappa::SimpleMetric<uint64_t>, conf_unsigned, 0);
GRAPPA_DEFINE_METRIC(SummarizingMetric<double>, conf_latency, 0);
GRAPPA_DEFINE_METRIC(SummarizingMetric<int64_t>, conf_lengths, 0);
GRAPPA_DEFINE_METRIC(MaxMetric<int64_t>, conf_deepest, -5);
GRAPPA_DEFINE_METRIC(MaxMetric<double>, conf_highest, 0.0);
GRAPPA_DEFINE_METRIC(StringMetric, conf_version, "first");
GRAPPA_DEFINE_METRIC(HistogramMetric, conf_sizes, 0);
GRAPPA_DEFINE_METRIC(CallbackMetric<int64_t>, conf_asked, ask);
GRAPPA_DEFINE_METRIC(CallbackMetric<double>, conf_half, [] { return half(); });
GRAPPA_DEFINE_METRIC(SummarizingMetric<double>, conf_region, 0);
GRAPPA_DEFINE_METRIC(SimpleMetric<double>, conf_region_total, 0);
GRAPPA_DECLARE_METRIC(SimpleMetric<int64_t>, conf_steps);  // as a second file does

namespace {

using namespace Grappa;

/// Core c adds c + 1 to counters and adds the samples 1 ... c + 1.
void count_by_core() {
  Metrics::reset_all_cores();
  on_all_cores([] {
    for (int64_t k = 1; k <= mycore() + 1; ++k) {
      conf_steps++;
      conf_lengths += k;
      conf_sizes += k;
      conf_deepest += k;
    }
    conf_version = mycore() == 0 ? "" : "of core " + std::to_string(mycore());
  });
}
int64_t pairs() { return cores() * (cores() + 1) / 2; }

TEST(SimpleMetric, Operators) {
  Metrics::reset();
  conf_steps++;
  ++conf_steps;
  conf_steps += 40;
  EXPECT_EQ(42, conf_steps.value());
  EXPECT_EQ(42, conf_steps);
  conf_steps = 7;
  conf_steps--;
  --conf_steps;
  conf_steps -= 2;
  EXPECT_EQ(3, conf_steps);
  conf_distance += 1.25;
  EXPECT_EQ(3.75, conf_distance.value());
  conf_unsigned = uint64_t{1} << 63;
  EXPECT_EQ(uint64_t{1} << 63, conf_unsigned.value());
  conf_steps.reset();
  conf_distance.reset();
  EXPECT_EQ(0, conf_steps.value());
  EXPECT_EQ(2.5, conf_distance.value()) << "the initial value";
}

TEST(SummarizingMetric, OperatorsAndStatistics) {
  Metrics::reset();
  conf_latency += 2;
  conf_latency = 4;
  ++conf_latency;
  conf_latency++;
  EXPECT_EQ(6, conf_latency.value()) << "4 + 1 + 1";
  EXPECT_EQ(4, conf_latency.count());
  EXPECT_DOUBLE_EQ(2, conf_latency.mean());
  EXPECT_DOUBLE_EQ(std::sqrt((0 + 4 + 1 + 1) / 3.0), conf_latency.stddev());
  EXPECT_EQ(1, conf_latency.min());
  EXPECT_EQ(4, conf_latency.max());
  EXPECT_DOUBLE_EQ(8, conf_latency.sum());
  conf_latency -= 2;
  EXPECT_EQ(4, conf_latency);
  EXPECT_EQ(5, conf_latency.count());
  conf_latency.reset();
  EXPECT_EQ(0, conf_latency.count());
  EXPECT_EQ(0, conf_latency.mean());
}

TEST(MaxMetric, Operators) {
  Metrics::reset();
  EXPECT_EQ(-5, conf_deepest.value());
  conf_deepest += -7;
  EXPECT_EQ(-5, conf_deepest.value());
  conf_deepest = -3;
  EXPECT_EQ(-3, conf_deepest.value());
  ++conf_deepest;
  EXPECT_EQ(1, conf_deepest.value()) << "++ adds the sample 1";
  conf_deepest++;
  EXPECT_EQ(1, conf_deepest);
  conf_deepest += 12;
  conf_deepest = 11;
  EXPECT_EQ(12, conf_deepest);
  conf_highest += 0.75;
  EXPECT_EQ(0.75, conf_highest);
  conf_deepest.reset();
  EXPECT_EQ(-5, conf_deepest.value());
}

TEST(StringMetric, Operators) {
  Metrics::reset();
  EXPECT_EQ("first", conf_version.value());
  conf_version = "second";
  conf_version += " edition";
  EXPECT_EQ("second edition", conf_version.value());
  conf_version.reset();
  EXPECT_EQ("first", conf_version.value());
}

TEST(HistogramMetric, Operators) {
  Metrics::reset();
  conf_sizes += 100;
  conf_sizes = 127;
  conf_sizes++;
  ++conf_sizes;
  EXPECT_EQ(1, conf_sizes.value()) << "the last sample";
  EXPECT_EQ(4u, conf_sizes.histogram().count());
  EXPECT_EQ(2u, conf_sizes.histogram().count(Histogram::bucket_of(64)));
  EXPECT_EQ(2u, conf_sizes.histogram().count(Histogram::bucket_of(1)));
  conf_sizes.reset();
  EXPECT_EQ(0u, conf_sizes.histogram().count());
}

TEST(CallbackMetric, Value) {
  asked = 10;
  EXPECT_EQ(11, conf_asked.value());
  conf_asked.reset();
  EXPECT_EQ(12, conf_asked) << "reset has no effect";
  EXPECT_EQ(0.5, conf_half.value());
}

TEST(Metrics, Print) {
  count_by_core();
  std::ostringstream mine;
  Metrics::print(mine);
  EXPECT_NE(std::string::npos, mine.str().find("conf_steps"));
  EXPECT_EQ(std::string::npos, mine.str().find("conf_latency")) << "zero values are omitted";
  testing::internal::CaptureStdout();
  Metrics::print();
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStdout().find("conf_steps"));
}

TEST(Metrics, MergeAndPrint) {
  count_by_core();
  on_all_cores([] { conf_steps += 1000000; });
  std::ostringstream all;
  Metrics::merge_and_print(all);
  const std::string text = all.str();
  const std::string total = std::to_string(1000000 * cores() + pairs());
  ASSERT_EQ("STATS{", text.substr(0, 6));
  ASSERT_EQ("}STATS\n", text.substr(text.size() - 7));
  const nlohmann::json printed = nlohmann::json::parse(text.substr(5, text.size() - 11));
  EXPECT_EQ(1000000 * cores() + pairs(), printed["conf_steps"].get<int64_t>());
  EXPECT_EQ(pairs(), printed["conf_lengths_count"].get<int64_t>());
  EXPECT_EQ(cores(), printed["conf_lengths_max"].get<int64_t>());
  EXPECT_EQ(0, printed["conf_latency"].get<double>());
  EXPECT_EQ(pairs(), printed["conf_sizes"]["count"].get<int64_t>());
  EXPECT_EQ(cores() > 1 ? "of core 1" : "", printed["conf_version"].get<std::string>());
  testing::internal::CaptureStdout();
  Metrics::merge_and_print();
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStdout().find(total));
}

TEST(Metrics, PrintAsJson) {
  Metrics::reset();
  conf_steps = 3;
  conf_lengths += 4;
  std::ostringstream text;
  text << conf_steps << "; " << conf_lengths << "; " << conf_version;
  EXPECT_EQ("\"conf_steps\": 3; \"conf_lengths\": 4.0, \"conf_lengths_count\": 1",
            text.str().substr(0, 61));
  EXPECT_NE(std::string::npos, text.str().find("; \"conf_version\": \"first\"")) << text.str();
}

/// Returns the output of merge_and_dump_to_file and removes the file.
nlohmann::json dumped(const std::string& path) {
  Metrics::merge_and_dump_to_file(path);
  nlohmann::json report;
  std::ifstream(path) >> report;
  ::unlink(path.c_str());
  return report;
}

/// Creates a temporary folder and makes it the working directory until destruction.
class Folder {
 public:
  Folder() {
    EXPECT_NE(nullptr, ::mkdtemp(path_));
    EXPECT_NE(nullptr, ::getcwd(before_, sizeof before_));
    EXPECT_EQ(0, ::chdir(path_));
  }
  ~Folder() {
    EXPECT_EQ(0, ::chdir(before_));
    EXPECT_EQ(0, ::rmdir(path_));
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  char path_[sizeof "/tmp/conformance_metrics_XXXXXX"] = "/tmp/conformance_metrics_XXXXXX";
  char before_[4096];
};

TEST(Metrics, MergeAndDumpToFile) {
  const Folder folder;
  count_by_core();
  const nlohmann::json report = dumped("some.json");
  EXPECT_EQ(cores(), report["cores"]);
  const nlohmann::json& metrics = report["metrics"];
  EXPECT_EQ(pairs(), metrics["conf_steps"]["value"]);
  EXPECT_EQ(cores(), metrics["conf_deepest"]["value"]);
  EXPECT_EQ(cores() == 1 ? "" : "of core 1", metrics["conf_version"]["value"]);
  EXPECT_EQ(0.5 * cores(), metrics["conf_half"]["value"]);
  ASSERT_EQ(static_cast<size_t>(cores()), metrics["conf_steps"]["per_core"].size());
  for (int core = 0; core < cores(); ++core) {
    EXPECT_EQ(core + 1, metrics["conf_steps"]["per_core"][static_cast<size_t>(core)]);
  }

  // Core c has the samples 1 ... c + 1.
  double sum = 0, squares = 0, n = static_cast<double>(pairs());
  for (int core = 0; core < cores(); ++core) {
    for (int k = 1; k <= core + 1; ++k) sum += k, squares += k * k;
  }
  const nlohmann::json& lengths = metrics["conf_lengths"]["value"];
  EXPECT_EQ(pairs(), lengths["count"]);
  EXPECT_NEAR(sum / n, lengths["mean"].get<double>(), 1e-9);
  const double stddev = n < 2 ? 0 : std::sqrt((squares - sum * sum / n) / (n - 1));
  EXPECT_NEAR(stddev, lengths["stddev"].get<double>(), 1e-9);
  EXPECT_EQ(1, lengths["min"]);
  EXPECT_EQ(cores(), lengths["max"]);
  EXPECT_EQ(pairs(), metrics["conf_sizes"]["value"]["count"]);
  EXPECT_EQ(2, metrics["conf_sizes"]["value"]["buckets"][0]["below"]) << "the samples of value 1";
  EXPECT_EQ(cores(), metrics["conf_sizes"]["value"]["buckets"][0]["count"]);
}

TEST(Metrics, MergeAndDumpToFileNamedByDefault) {
  const Folder folder;
  count_by_core();
  Metrics::merge_and_dump_to_file();
  nlohmann::json report;
  std::ifstream("metrics.json") >> report;
  ::unlink("metrics.json");
  EXPECT_EQ(pairs(), report["metrics"]["conf_steps"]["value"]);
}

TEST(Metrics, ResetAndResetAllCores) {
  count_by_core();
  Metrics::reset();
  EXPECT_EQ(0, conf_steps.value());
  EXPECT_EQ(pairs() - 1, sum_all_cores([] { return conf_steps.value(); })) << "core 0: 1";
  count_by_core();
  Metrics::reset_all_cores();
  on_all_cores([] {
    EXPECT_EQ(0, conf_steps.value());
    EXPECT_EQ(0, conf_lengths.count());
    EXPECT_EQ(-5, conf_deepest.value());
    EXPECT_EQ("first", conf_version.value());
    EXPECT_EQ(0u, conf_sizes.histogram().count());
  });
}

TEST(Metrics, StartTracingAndStopTracing) {
  // Without --trace, these calls are permitted and write nothing.
  Metrics::start_tracing();
  count_by_core();
  Metrics::stop_tracing();
  EXPECT_EQ(pairs(), sum_all_cores([] { return conf_steps.value(); }));
}

TEST(TimeRegion, AddsSeconds) {
  Metrics::reset();
  const double begin = walltime();
  for (int k = 0; k < 3; ++k) {
    GRAPPA_TIME_REGION(conf_region) {
      GRAPPA_TIME_REGION(conf_region_total) { yield(); }
      conf_steps++;
    }
  }
  const double seconds = walltime() - begin;
  EXPECT_EQ(3, conf_steps.value()) << "each block runs once";
  EXPECT_EQ(3, conf_region.count());
  EXPECT_LE(0, conf_region_total.value());
  EXPECT_LE(conf_region_total.value(), conf_region.sum());
  EXPECT_LE(conf_region.sum(), seconds);
}

}  // namespace
