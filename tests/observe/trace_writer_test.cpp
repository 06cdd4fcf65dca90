#include "system/observe/trace.hpp"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

typedef nlohmann::json Json;

Event event(Event::Kind kind, uint64_t begin, uint64_t end, Core peer = 0, uint32_t number = 0) {
  Event made = Event();
  made.kind = kind;
  made.begin_ticks = begin;
  made.end_ticks = end;
  made.peer = peer;
  made.number = number;
  return made;
}

/// Returns the parsed file that is written for these events. A tick is half a nanosecond.
Json written(const std::vector<std::vector<Event>>& by_core, uint64_t left_out = 0) {
  const char* const name = "T = a \"task\"]";
  EventNames names;
  names.runs[1] = name;
  names.reasons = {"nothing", "a mutex"};
  std::vector<KeptBuffers> kept;
  for (const auto& events : by_core) kept.push_back(kept_buffers(events, by_core.size()));
  std::ostringstream out;
  {
    TraceWriter writer(out, kept, names);
    for (size_t core = 0; core < by_core.size(); ++core) {
      writer.write_events(static_cast<Core>(core), by_core[core], left_out,
                          ClockLine{1000, 7, 0.5});
    }
  }
  return Json::parse(out.str());
}

/// Returns the events of a phase, in the order of the file.
std::vector<Json> of(const Json& file, const std::string& phase) {
  std::vector<Json> some;
  for (const Json& line : file["traceEvents"]) {
    if (line["ph"] == phase) some.push_back(line);
  }
  return some;
}

TEST(TraceWriter, WritesMicroseconds) {
  const Json slice = of(written({{event(Event::Kind::Idle, 1002, 5002)}}), "X").at(0);
  EXPECT_DOUBLE_EQ(0.008, slice["ts"].get<double>());
  EXPECT_DOUBLE_EQ(2.0, slice["dur"].get<double>());
}

TEST(TraceWriter, WritesASliceBeforeTheSlicesInsideIt) {
  Event run = event(Event::Kind::Run, 2000, 4000);
  run.what = 1;
  const Json file =
      written({{event(Event::Kind::Send, 2000, 2100), event(Event::Kind::Send, 3000, 3100), run}});
  const std::vector<Json> slices = of(file, "X");
  ASSERT_EQ(3u, slices.size());
  EXPECT_EQ("T = a \"task\"]", slices[0]["name"]);
  EXPECT_EQ(slices[0]["ts"], slices[1]["ts"]);
  EXPECT_LT(slices[1]["ts"], slices[2]["ts"]);
}

TEST(TraceWriter, WritesAnArrowFromTheSendOfABuffer) {
  const Json file = written({{event(Event::Kind::Send, 2000, 2100, 1, 4)},
                             {event(Event::Kind::Buffer, 3000, 3100, 0, 4)}});
  const std::vector<Json> from = of(file, "s"), to = of(file, "f");
  ASSERT_EQ(1u, from.size());
  ASSERT_EQ(1u, to.size());
  EXPECT_EQ(from[0]["id"], to[0]["id"]);
  EXPECT_EQ(0, from[0]["pid"]);
  EXPECT_EQ(1, to[0]["pid"]);
  EXPECT_LT(from[0]["ts"], to[0]["ts"]);
}

TEST(TraceWriter, OmitsArrowsToOverwrittenEvents) {
  const uint32_t rest = EventLog::rest_of_buffer();
  const Json file = written(
      {{event(Event::Kind::Send, 2000, 2100, 1, 4), event(Event::Kind::Send, 2200, 2300, 1, 5)},
       {event(Event::Kind::Buffer, 3000, 3100, 0, 5),
        event(Event::Kind::Buffer, 3100, 3200, 0, rest),
        event(Event::Kind::Buffer, 3000, 3100, 1, 3)}});
  ASSERT_EQ(1u, of(file, "s").size());
  ASSERT_EQ(1u, of(file, "f").size());
  EXPECT_EQ(of(file, "s")[0]["id"], of(file, "f")[0]["id"]);
}

TEST(TraceWriter, WritesBeginAndEndOfWaitsAndCommits) {
  Event wait = event(Event::Kind::Wait, 2000, 2600);
  wait.reason = 1;
  const Json file = written(
      {{event(Event::Kind::Run, 1500, 1900), wait, event(Event::Kind::Commit, 2100, 2500)}});
  std::map<std::string, std::string> begun;
  for (const Json& line : of(file, "b"))
    begun[line["id"].get<std::string>()] = line["name"].get<std::string>();
  ASSERT_EQ(2u, begun.size());
  for (const Json& line : of(file, "e"))
    EXPECT_EQ(begun.at(line["id"].get<std::string>()), line["name"]);
  EXPECT_EQ("wait for a mutex", of(file, "b")[0]["name"]);
  ASSERT_EQ(1u, of(file, "s").size()) << "an arrow along the commit";
  EXPECT_EQ(of(file, "s")[0]["id"], of(file, "f").at(0)["id"]);
}

TEST(TraceWriter, OmitsTheArrowOfACommitThatBeganBeforeTheKeptEvents) {
  const Json file =
      written({{event(Event::Kind::Run, 1500, 1900), event(Event::Kind::Commit, 1600, 2500)}});
  EXPECT_EQ(1u, of(file, "b").size());
  EXPECT_TRUE(of(file, "s").empty());
}

TEST(TraceWriter, WritesHowManyEventsAreMissing) {
  const Json file = written({{event(Event::Kind::Idle, 2000, 2100)}}, 12);
  EXPECT_EQ(Json::array({12}), file["otherData"]["events left out, by core"]);
  EXPECT_EQ("12 earlier events left out", of(file, "M").at(2)["args"]["labels"]);
  EXPECT_EQ(Json::array({0}), written({{}})["otherData"]["events left out, by core"]);
}

}  // namespace
}  // namespace Grappa
