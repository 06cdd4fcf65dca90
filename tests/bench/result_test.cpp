#include "bench/harness/result.hpp"

#include "tests/bench/results.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace bench { namespace {

typedef nlohmann::json Json;

Json written(const Result& result) { return Json::parse(to_json(result)); }

// Writes the result to JSON and parses it.
Result read_back(const Result& result) {
  Result read;
  EXPECT_EQ(parse_result(to_json(result), &read), "");
  return read;
}

TEST(ResultFile, DescribesTheRunAndTheMachine) {
  const Json json = written(result_of({}));
  EXPECT_EQ(json.at("benchmark"), "name");
  EXPECT_EQ(json.at("commit"), "abc");
  EXPECT_EQ(json.at("command"), "name --quick");
  EXPECT_EQ(json.at("quick"), true);
  EXPECT_EQ(json.at("machine").at("cpu"), "a processor");
  EXPECT_EQ(json.at("machine").at("memory_bytes"), int64_t(1) << 40);
  EXPECT_EQ(json.at("machine").at("ranks"), 1);
  EXPECT_EQ(json.at("probes").at("before"),
            Json({{"ping_pong_ns", 50}, {"loop_ns", 1000}, {"stolen_s", 1.5}}));
  EXPECT_EQ(json.at("probes").at("after").at("ping_pong_ns"), 60);
}

TEST(ResultFile, HasNullForAnUnknownPingPong) {
  Result result = result_of({});
  result.after.ping_pong_ns = 0;
  EXPECT_TRUE(written(result).at("probes").at("after").at("ping_pong_ns").is_null());
  EXPECT_EQ(read_back(result).after.ping_pong_ns, 0);
}

TEST(ResultFile, ContainsFiguresWithTheirBaseline) {
  const Json figure = written(result_of({figure_of("id", 3)})).at("figures").at(0);
  EXPECT_EQ(figure.at("id"), "id");
  EXPECT_EQ(figure.at("what"), "something");
  EXPECT_EQ(figure.at("value"), 3);
  EXPECT_EQ(figure.at("unit"), "ns");
  EXPECT_EQ(figure.at("spread"), Json({1.5, 1.5}));
  EXPECT_EQ(figure.at("baseline"), "something else");
  EXPECT_EQ(figure.at("baseline_value"), 2);
  EXPECT_EQ(figure.at("ratio"), 1.5);
  EXPECT_EQ(figure.at("ratio_is"), "value / baseline_value");
  EXPECT_EQ(figure.at("better"), "lower");
  EXPECT_EQ(figure.at("verified"), true);
}

TEST(ResultFile, ContainsEveryRepetition) {
  Figure figure = figure_of("id", 3);
  figure.repeats = 1;
  figure.repetitions.push_back(Repetition{4, 2, 50, 250, false});
  const Json json = written(result_of({figure})).at("figures").at(0);
  EXPECT_EQ(json.at("repeats"), 1);
  ASSERT_EQ(json.at("repetitions").size(), 2u);
  EXPECT_EQ(json.at("repetitions").at(0).at("value"), 3);
  EXPECT_TRUE(json.at("repetitions").at(0).at("ping_pong_before_ns").is_null());
  EXPECT_EQ(json.at("repetitions").at(1), Json({{"value", 4},
                                                {"baseline_value", 2},
                                                {"ping_pong_before_ns", 50},
                                                {"ping_pong_after_ns", 250},
                                                {"counted", false}}));
}

TEST(ResultFile, HasNullForTheBaselineOfACount) {
  const Json figure = written(result_of({count({"id", "", "1", ""}, 7)})).at("figures").at(0);
  EXPECT_EQ(figure.at("value"), 7);
  for (const char* field : {"spread", "baseline", "baseline_value", "ratio"}) {
    EXPECT_TRUE(figure.at(field).is_null()) << field;
  }
}

TEST(ResultFile, MarksUnverifiedFigures) {
  Figure wrong = figure_of("wrong", 3);
  wrong.verified = false;
  const Result result = result_of({figure_of("right", 3), wrong});
  EXPECT_FALSE(result.verified());
  EXPECT_EQ(written(result).at("figures").at(0).at("verified"), true);
  EXPECT_EQ(written(result).at("figures").at(1).at("verified"), false);
}

TEST(ResultFile, ContainsTheReasonOfAnOmission) {
  Result result = result_of({});
  result.omitted.push_back(Omission{"id", "there is no moon"});
  EXPECT_EQ(written(result).at("omitted"), Json({{{"id", "id"}, {"why", "there is no moon"}}}));
  EXPECT_TRUE(result.verified());
}

TEST(ResultFile, IsReadAsItWasWritten) {
  Figure figure = figure_of("id", 3);
  figure.better = Better::Higher;
  figure.ratio_sense = Ratio::BaselineOverValue;
  figure.repetitions.push_back(Repetition{4, 2, 50, 250, false});
  Result result = result_of({figure, count({"count", "things", "1", ""}, 7)});
  result.omitted.push_back(Omission{"other", "there is no moon"});
  EXPECT_EQ(to_json(read_back(result)), to_json(result));
}

TEST(ResultFile, MayNameFilesThatAreNotUtf8) {
  Result result = result_of({});
  result.command = "name --json=\xff";
  EXPECT_EQ(read_back(result).benchmark, "name");
}

TEST(ResultFile, IsRejectedWithAReasonIfInvalid) {
  Result result;
  EXPECT_EQ(parse_result("{", &result), "is not JSON");
  EXPECT_EQ(parse_result("", &result), "is not JSON");
  EXPECT_EQ(parse_result("{}", &result), "is not a benchmark result: key 'benchmark' not found");
  Json json = written(result_of({}));
  json["quick"] = "yes";
  EXPECT_EQ(parse_result(json.dump(), &result),
            "is not a benchmark result: type must be boolean, but is string");
}

}}  // namespace bench
