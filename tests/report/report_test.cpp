#include <Grappa.hpp>

#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/report/job_report.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include <unistd.h>

GRAPPA_DEFINE_METRIC(StringMetric, test_long, "", "letters", "of no use");
GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, test_visits, 0, "cells", "seen");
GRAPPA_DEFINE_METRIC(MaxMetric<double>, test_highest, -1000);
GRAPPA_DEFINE_METRIC(SummarizingMetric<double>, test_samples, 0);
GRAPPA_DEFINE_METRIC(HistogramMetric, test_sizes, 0);
GRAPPA_DEFINE_METRIC(StringMetric, test_mode, "");
GRAPPA_DEFINE_METRIC(CallbackMetric<int64_t>, test_core, [] { return int64_t{Grappa::mycore()}; });
GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, test_untouched, 0);

namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// Core c adds c + 1 to a sum, -c to a maximum, and the samples 0 ... c.
void count_by_core() {
  Metrics::reset_all_cores();
  on_all_cores([] {
    test_visits += mycore() + 1;
    test_highest = -mycore();
    for (int k = 0; k <= mycore(); ++k) {
      test_samples += k;
      test_sizes += k;
    }
    if (mycore() == cores() - 1) test_mode = "of the last core";
  });
}

MergedMetric merged(const std::string& name) {
  for (const MergedMetric& each : merge_metrics()) {
    if (each.metric->name() == name) return each;
  }
  ADD_FAILURE() << "no metric " << name;
  return {};
}

const int64_t kPairs[] = {0, 1, 3, 6, 10, 15, 21, 28, 36};  // 1 + 2 + ... + n

TEST(MergedMetrics, AddUpOrAreTheMaximumByTheirType) {
  count_by_core();
  EXPECT_EQ(kPairs[cores()], merged("test_visits").value.as_signed);
  EXPECT_EQ(0, merged("test_highest").value.as_real);
  EXPECT_EQ("of the last core", merged("test_mode").value.text);
  EXPECT_EQ(kPairs[cores() - 1], merged("test_core").value.as_signed);
}

TEST(MergedMetrics, HaveTheSamplesOfAllCores) {
  count_by_core();
  Summary expected;
  for (int core = 0; core < cores(); ++core) {
    for (int k = 0; k <= core; ++k) expected.add(k);
  }
  const Summary summary = merged("test_samples").value.summary;
  EXPECT_EQ(expected.count(), summary.count());
  EXPECT_DOUBLE_EQ(expected.mean(), summary.mean());
  EXPECT_NEAR(expected.stddev(), summary.stddev(), 1e-12);
  EXPECT_EQ(cores() - 1, summary.max());
  const Reading sizes = merged("test_sizes").value;
  EXPECT_EQ(kPairs[cores()], sizes.number());
  EXPECT_EQ(static_cast<uint64_t>(cores()), sizes.buckets[0]) << "one 0 from each core";
}

TEST(MergedMetrics, HaveTheValueOfEachCoreToo) {
  count_by_core();
  const MergedMetric visits = merged("test_visits");
  ASSERT_EQ(static_cast<size_t>(cores()), visits.per_core.size());
  for (int core = 0; core < cores(); ++core) {
    EXPECT_EQ(core + 1, visits.per_core[static_cast<size_t>(core)].as_signed);
  }
}

TEST(MergedMetrics, HaveTheRuntimesCountersAmongThem) {
  count_by_core();
  on_all_cores([] {});
  EXPECT_LE(static_cast<uint64_t>(cores()), merged("message.messages").value.as_unsigned);
}

TEST(MergedMetrics, CanBeReadByManyTasksOfAllCoresAtOnce) {
  count_by_core();
  on_all_cores([] {
    forall_here(0, 20,
                [](int64_t) { EXPECT_EQ(kPairs[cores()], merged("test_visits").value.as_signed); });
  });
}

TEST(MergedMetrics, MayBeMoreThanABufferHolds) {
  on_all_cores([] { test_mode = std::string(100000, static_cast<char>('a' + mycore())); });
  const MergedMetric mode = merged("test_mode");
  EXPECT_EQ(std::string(100000, 'a'), mode.value.text);
  EXPECT_EQ(std::string(100000, static_cast<char>('a' + cores() - 1)), mode.per_core.back().text);
}

TEST(Metrics, AreResetOnThisCoreOrOnAll) {
  count_by_core();
  Metrics::reset();
  EXPECT_EQ(0, test_visits);
  EXPECT_EQ(kPairs[cores()] - 1, merged("test_visits").value.as_signed) << "core 0 has reset its 1";
  Metrics::reset_all_cores();
  EXPECT_EQ(0, merged("test_visits").value.as_signed);
}

TEST(Metrics, ArePrintedALineEachUnlessZero) {
  count_by_core();
  std::ostringstream mine;
  Metrics::print(mine);
  const auto line = [](const std::string& value) {
    return "\ntest_visits" + std::string(32 - 11 + 1 + 14 - value.size(), ' ') + value +
           " cells      seen\n";
  };
  EXPECT_NE(std::string::npos, mine.str().find(line("1"))) << mine.str();
  EXPECT_EQ(std::string::npos, mine.str().find("test_untouched"));
  EXPECT_EQ(std::string::npos, mine.str().find(" \n")) << "no blanks at the end of a line";
}

TEST(Metrics, ArePrintedWithoutTruncation) {
  test_long = std::string(300, 'x');
  std::ostringstream mine;
  Metrics::print(mine);
  test_long = "";
  const std::string line = "test_long" + std::string(24, ' ') + std::string(300, 'x');
  EXPECT_NE(std::string::npos, mine.str().find(line + " letters    of no use\n")) << mine.str();
}

TEST(Metrics, AreWrittenToAFileOnAnyCore) {
  count_by_core();
  static char path[] = "/tmp/metrics_test_XXXXXX";
  ::close(::mkstemp(path));
  struct Path {
    char text[sizeof path];
  } file;
  std::string(path).copy(file.text, sizeof file.text);
  file.text[sizeof file.text - 1] = '\0';
  const Core last = static_cast<Core>(cores() - 1);
  CompletionEvent written(1);
  const auto done = make_global(&written);
  delegate::call(last, [file, done] {
    spawn([file, done] {
      Metrics::merge_and_dump_to_file(file.text);
      complete(done);
    });
  });
  written.wait();
  nlohmann::json report;
  std::ifstream(path) >> report;
  ::unlink(path);
  EXPECT_EQ(cores(), report["cores"]);
  EXPECT_EQ(kPairs[cores()], report["metrics"]["test_visits"]["value"]);
  EXPECT_EQ("cells", report["metrics"]["test_visits"]["unit"]);
  EXPECT_EQ("sum", report["metrics"]["test_visits"]["total"]);
  EXPECT_EQ("max", report["metrics"]["test_highest"]["total"]);
  EXPECT_EQ(0, report["metrics"]["test_untouched"]["value"]) << "zeros are written";
  EXPECT_EQ(kPairs[cores()], report["metrics"]["test_samples"]["value"]["count"]);
  EXPECT_EQ(cores(), report["metrics"]["test_sizes"]["value"]["buckets"][0]["count"]);
}

TEST(Counters, HaveAMeaningAndAUniqueDottedName) {
  std::set<std::string> names;
  for (const Counter* counter = Counter::first(); counter != nullptr; counter = counter->next()) {
    const std::string name = counter->name();
    EXPECT_TRUE(names.insert(name).second) << name << " occurs twice";
    EXPECT_EQ(std::string::npos, name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_."))
        << name << ": lower case";
    const size_t dot = name.find('.');
    EXPECT_TRUE(dot != std::string::npos && dot != 0 && dot + 1 < name.size() &&
                name.find('.', dot + 1) == std::string::npos)
        << name << ": expected module.counter";
    EXPECT_STRNE("", counter->unit()) << name;
    EXPECT_STRNE("", counter->meaning()) << name;
  }
  EXPECT_LT(30u, names.size());
}

uint64_t spent_ns(const std::string& activity, int core) {
  return merged("tasking." + activity + "_ns").per_core[static_cast<size_t>(core)].as_unsigned;
}

// The time of a computing task counts as running on the core of the task only.
TEST(Times, OfABusyCoreAreRunningAndOfTheOthersIdle) {
  constexpr uint64_t kBusyNs = 300000000;
  // The unit is ticks, as in the counters. While the system slows its clock down to correct the
  // clock, clock and ticks differ by more than a hundredth.
  const double busy_ticks = static_cast<double>(kBusyNs) * ticks_per_ns();
  const auto compute = [](double time_ticks) {
    const uint64_t begin = ticks();
    while (static_cast<double>(ticks() - begin) < time_ticks) {}
  };
  compute(busy_ticks / 10);         // time before the reset must not count
  const uint64_t before = ticks();  // counting begins slightly later
  Metrics::reset_all_cores();
  compute(busy_ticks);
  const uint64_t running = spent_ns("running", 0);
  EXPECT_LE(kBusyNs * 97 / 100, running);
  EXPECT_GE(static_cast<double>(ticks() - before) / ticks_per_ns() * 1.01,
            static_cast<double>(running))
      << "not more than the elapsed time";
  for (int core = 1; core < cores(); ++core) {
    EXPECT_LE(kBusyNs / 2, spent_ns("idle", core));
    EXPECT_GE(kBusyNs / 2, spent_ns("running", core));
    EXPECT_GE(kBusyNs / 2, spent_ns("polling", core));
  }
}

TEST(Tracing, DoesNothingWithoutAFile) {
  Metrics::start_tracing();
  test_visits += 1;
  Metrics::stop_tracing();
}

TEST(Metrics, AreMergedAndPrintedAsJson) {
  count_by_core();
  on_all_cores([] { test_visits += 1000000; });
  const int64_t visits = 1000000 * cores() + kPairs[cores()];
  std::ostringstream all;
  Metrics::merge_and_print(all);
  const std::string text = all.str();
  ASSERT_EQ("STATS{", text.substr(0, 6));
  ASSERT_EQ("}STATS\n", text.substr(text.size() - 7));
  const nlohmann::json printed = nlohmann::json::parse(text.substr(5, text.size() - 11));
  EXPECT_EQ(visits, printed["test_visits"].get<int64_t>());
  EXPECT_EQ(kPairs[cores()], printed["test_samples_count"].get<int64_t>());
  EXPECT_EQ(cores() - 1, printed["test_samples_max"].get<int64_t>());
  EXPECT_EQ(kPairs[cores()], printed["test_sizes"]["count"].get<int64_t>());
  EXPECT_EQ("of the last core", printed["test_mode"].get<std::string>());
  EXPECT_EQ(0, printed["test_untouched"].get<int64_t>()) << "zeros are printed";
  testing::internal::CaptureStdout();
  Metrics::merge_and_print();
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStdout().find(std::to_string(visits)));
}

TEST(Metrics, ArePrintedToStdoutByDefault) {
  count_by_core();
  testing::internal::CaptureStdout();
  Metrics::print();
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStdout().find("test_visits"));
}

TEST(Metrics, ArePrintedOneByOneAsJson) {
  Metrics::reset();
  test_visits = 3;
  test_samples += 4;
  test_mode = "first";
  std::ostringstream text;
  text << test_visits << "; " << test_samples << "; " << test_mode;
  EXPECT_EQ("\"test_visits\": 3; \"test_samples\": 4.0, \"test_samples_count\": 1",
            text.str().substr(0, 62));
  EXPECT_NE(std::string::npos, text.str().find("; \"test_mode\": \"first\"")) << text.str();
}

TEST(Metrics, AreWrittenToMetricsJsonByDefault) {
  char folder[] = "/tmp/metrics_test_XXXXXX", before[4096];
  ASSERT_NE(nullptr, ::mkdtemp(folder));
  ASSERT_NE(nullptr, ::getcwd(before, sizeof before));
  ASSERT_EQ(0, ::chdir(folder));
  count_by_core();
  Metrics::merge_and_dump_to_file();
  nlohmann::json report;
  std::ifstream("metrics.json") >> report;
  ::unlink("metrics.json");
  EXPECT_EQ(0, ::chdir(before));
  EXPECT_EQ(0, ::rmdir(folder));
  EXPECT_EQ(kPairs[cores()], report["metrics"]["test_visits"]["value"]);
}

}  // namespace
