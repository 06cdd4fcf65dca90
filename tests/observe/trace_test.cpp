#include "system/observe/trace.hpp"

#include "system/observe/clock.hpp"
#include "system/observe/metrics.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

GRAPPA_DEFINE_METRIC(SimpleMetric<double>, height, 0, "m", "above the sea");
GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, unmoved, 3);
GRAPPA_DEFINE_METRIC(StringMetric, place, "here");

namespace Grappa {

using namespace detail;

namespace {

typedef nlohmann::json Json;

constexpr uint64_t kMs = 1000000;

/// Returns all points of a metric that the writer writes for core 5: {microseconds, value}.
std::vector<std::pair<double, double>> written(const Trace& trace, const std::string& name) {
  std::ostringstream out;
  {
    const std::vector<KeptBuffers> kept;
    const EventNames names;
    TraceWriter writer(out, kept, names);
    writer.write_events(5, {}, 0, ClockLine{0, 0, 1});
    writer.write_points(5, trace.points(), 0);
  }
  std::vector<std::pair<double, double>> points;
  const Json file = Json::parse(out.str());
  for (const Json& event : file["traceEvents"]) {
    EXPECT_EQ(5, event["pid"]);
    if (event["ph"] == "C" && event["name"] == name) {
      EXPECT_EQ(1u, event["args"].size());
      points.push_back({event["ts"].get<double>(), event["args"].begin()->get<double>()});
    }
  }
  return points;
}

typedef std::vector<std::pair<double, double>> Points;

class TraceTest : public testing::Test {
 protected:
  TraceTest() { reset_metrics(); }

  VirtualClock clock_;
};

TEST_F(TraceTest, HasNoPointsBeforeItsStart) {
  Trace trace(kMs);
  clock_.advance_ns(5 * kMs);
  trace.sample_if_due();
  trace.stop();
  EXPECT_TRUE(trace.points().empty());
  EXPECT_TRUE(written(trace, "height").empty()) << "the file must still be valid JSON";
}

TEST_F(TraceTest, BeginsAndEndsWithASample) {
  Trace trace(1000 * kMs);
  height = 8;
  clock_.advance_ns(kMs);
  trace.start();
  height = 9;
  clock_.advance_ns(kMs);
  trace.sample_if_due();  // no sample is due
  height = 10;
  clock_.advance_ns(kMs);
  trace.stop();
  EXPECT_EQ((Points{{1000, 8}, {3000, 10}}), written(trace, "height"));
}

TEST_F(TraceTest, IgnoresMetricsDefinedAfterItsStart) {
  Trace trace(kMs);
  trace.start();
  static SimpleMetric<int64_t> newcomer("newcomer", 0);
  clock_.advance_ns(kMs);
  height = 7;
  trace.stop();
  EXPECT_EQ((Points{{0, 0}, {1000, 7}}), written(trace, "height"));
  EXPECT_TRUE(written(trace, "newcomer").empty());
}

TEST_F(TraceTest, SamplesOncePerInterval) {
  Trace trace(10 * kMs);
  trace.start();
  for (int ms = 1; ms <= 35; ++ms) {
    clock_.advance_ns(kMs);
    height += 1;
    trace.sample_if_due();
  }
  EXPECT_EQ((Points{{0, 0}, {10000, 10}, {20000, 20}, {30000, 30}}), written(trace, "height"));
}

TEST_F(TraceTest, KeepsOnlyChangedValues) {
  Trace trace(kMs);
  trace.start();
  for (int ms = 1; ms <= 5; ++ms) {
    clock_.advance_ns(kMs);
    height = ms / 3;
    trace.sample_if_due();
  }
  EXPECT_EQ((Points{{0, 0}, {3000, 1}}), written(trace, "height"));
  EXPECT_EQ((Points{{0, 3}}), written(trace, "unmoved"));
  EXPECT_TRUE(written(trace, "place").empty()) << "a text has no number";
}

TEST_F(TraceTest, ContinuesAfterAStop) {
  Trace trace(kMs);
  trace.start();
  trace.stop();
  height = 100;
  clock_.advance_ns(7 * kMs);
  trace.sample_if_due();
  height = 1;
  trace.start();
  trace.start();
  EXPECT_EQ((Points{{0, 0}, {7000, 1}}), written(trace, "height"));
}

TEST_F(TraceTest, OmitsValuesThatAreNotFinite) {
  Trace trace(kMs);
  height = std::numeric_limits<double>::infinity();
  trace.start();
  height = 2;
  trace.stop();
  EXPECT_EQ((Points{{0, 2}}), written(trace, "height"));
}

}  // namespace
}  // namespace Grappa
