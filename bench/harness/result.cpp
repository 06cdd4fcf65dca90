#include "bench/harness/result.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

namespace bench {
namespace {

typedef nlohmann::ordered_json Json;

const char* const kLower = "lower";
const char* const kHigher = "higher";
const char* const kValueOverBaseline = "value / baseline_value";
const char* const kBaselineOverValue = "baseline_value / value";

// Unknown or missing values are 0 in memory and null in the file.
Json or_null(double value) { return value == 0 ? Json(nullptr) : Json(value); }
double or_zero(const Json& json) { return json.is_null() ? 0 : json.get<double>(); }

Json write(const Spread& spread) { return Json::array({spread.low, spread.high}); }

Spread read_spread(const Json& json) {
  return Spread{json.at(0).get<double>(), json.at(1).get<double>()};
}

Json write(const Probes& probes) {
  return {{"ping_pong_ns", or_null(probes.ping_pong_ns)},
          {"loop_ns", probes.loop_ns},
          {"stolen_s", probes.stolen_s}};
}

Probes read_probes(const Json& json) {
  Probes probes = {0, 0, 0};
  probes.ping_pong_ns = or_zero(json.at("ping_pong_ns"));
  probes.loop_ns = json.at("loop_ns").get<double>();
  probes.stolen_s = json.at("stolen_s").get<double>();
  return probes;
}

Json write(const Machine& machine) {
  return {{"cpu", machine.cpu},           {"processors", machine.processors},
          {"kernel", machine.kernel},     {"memory_bytes", machine.memory_bytes},
          {"compiler", machine.compiler}, {"huge_pages", machine.huge_pages},
          {"flags", machine.flags},       {"mpi", machine.mpi},
          {"ranks", machine.ranks}};
}

Machine read_machine(const Json& json) {
  Machine machine;
  json.at("cpu").get_to(machine.cpu);
  json.at("processors").get_to(machine.processors);
  json.at("kernel").get_to(machine.kernel);
  json.at("memory_bytes").get_to(machine.memory_bytes);
  json.at("huge_pages").get_to(machine.huge_pages);
  json.at("compiler").get_to(machine.compiler);
  json.at("flags").get_to(machine.flags);
  json.at("mpi").get_to(machine.mpi);
  json.at("ranks").get_to(machine.ranks);
  return machine;
}

Json write(const Repetition& repetition) {
  return {{"value", repetition.value},
          {"baseline_value", repetition.baseline_value},
          {"ping_pong_before_ns", or_null(repetition.ping_pong_before_ns)},
          {"ping_pong_after_ns", or_null(repetition.ping_pong_after_ns)},
          {"counted", repetition.counted}};
}

Repetition read_repetition(const Json& json) {
  Repetition repetition;
  json.at("value").get_to(repetition.value);
  json.at("baseline_value").get_to(repetition.baseline_value);
  repetition.ping_pong_before_ns = or_zero(json.at("ping_pong_before_ns"));
  repetition.ping_pong_after_ns = or_zero(json.at("ping_pong_after_ns"));
  json.at("counted").get_to(repetition.counted);
  return repetition;
}

Json write(const Figure& figure) {
  Json json = {{"id", figure.question.id},
               {"what", figure.question.what},
               {"value", figure.value},
               {"unit", figure.question.unit},
               {"spread", nullptr},
               {"baseline", nullptr},
               {"baseline_value", nullptr},
               {"ratio", nullptr},
               {"better", figure.better == Better::Lower ? kLower : kHigher},
               {"verified", figure.verified}};
  if (!figure.has_baseline()) return json;
  json["spread"] = write(figure.spread);
  json["baseline"] = figure.question.baseline;
  json["baseline_value"] = figure.baseline_value;
  json["ratio"] = figure.ratio;
  json["ratio_is"] =
      figure.ratio_sense == Ratio::ValueOverBaseline ? kValueOverBaseline : kBaselineOverValue;
  json["value_spread"] = write(figure.value_spread);
  json["repeats"] = figure.repeats;
  json["line_ns"] = or_null(figure.line_ns);
  json["repetitions"] = Json::array();
  for (const Repetition& repetition : figure.repetitions) {
    json["repetitions"].push_back(write(repetition));
  }
  return json;
}

Figure read_figure(const Json& json) {
  Figure figure;
  json.at("id").get_to(figure.question.id);
  json.at("what").get_to(figure.question.what);
  json.at("value").get_to(figure.value);
  json.at("unit").get_to(figure.question.unit);
  json.at("verified").get_to(figure.verified);
  figure.better = json.at("better") == kLower ? Better::Lower : Better::Higher;
  figure.value_spread = Spread{figure.value, figure.value};
  if (json.at("baseline").is_null()) return figure;
  json.at("baseline").get_to(figure.question.baseline);
  json.at("baseline_value").get_to(figure.baseline_value);
  json.at("ratio").get_to(figure.ratio);
  figure.spread = read_spread(json.at("spread"));
  figure.value_spread = read_spread(json.at("value_spread"));
  figure.ratio_sense = json.at("ratio_is") == kBaselineOverValue ? Ratio::BaselineOverValue
                                                                 : Ratio::ValueOverBaseline;
  json.at("repeats").get_to(figure.repeats);
  if (json.contains("line_ns"))
    figure.line_ns = or_zero(json.at("line_ns"));  // absent in older files
  for (const Json& repetition : json.at("repetitions")) {
    figure.repetitions.push_back(read_repetition(repetition));
  }
  return figure;
}

Result read_result(const Json& json) {
  Result result;
  json.at("benchmark").get_to(result.benchmark);
  json.at("commit").get_to(result.commit);
  json.at("command").get_to(result.command);
  json.at("quick").get_to(result.quick);
  result.machine = read_machine(json.at("machine"));
  result.before = read_probes(json.at("probes").at("before"));
  result.after = read_probes(json.at("probes").at("after"));
  for (const Json& figure : json.at("figures")) result.figures.push_back(read_figure(figure));
  for (const Json& omission : json.at("omitted")) {
    result.omitted.push_back(
        {omission.at("id").get<std::string>(), omission.at("why").get<std::string>()});
  }
  return result;
}

}  // namespace

bool Result::verified() const {
  return std::all_of(figures.begin(), figures.end(),
                     [](const Figure& figure) { return figure.verified; });
}

std::string to_json(const Result& result) {
  Json json = {{"benchmark", result.benchmark},
               {"commit", result.commit},
               {"command", result.command},
               {"quick", result.quick},
               {"machine", write(result.machine)},
               {"probes", {{"before", write(result.before)}, {"after", write(result.after)}}},
               {"figures", Json::array()},
               {"omitted", Json::array()}};
  for (const Figure& figure : result.figures) json["figures"].push_back(write(figure));
  for (const Omission& omission : result.omitted) {
    json["omitted"].push_back({{"id", omission.id}, {"why", omission.why}});
  }
  // A path in the command may contain bytes that are not UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string parse_result(const std::string& json, Result* result) {
  const Json parsed = Json::parse(json, nullptr, false);
  if (parsed.is_discarded()) return "is not JSON";
  try {
    *result = read_result(parsed);
    return "";
  } catch (const std::exception& error) {
    const std::string text = error.what();  // "[json.exception.out_of_range.403] key ..."
    const size_t bracket = text.find("] ");
    return "is not a benchmark result: " +
           (bracket == std::string::npos ? text : text.substr(bracket + 2));
  }
}

}  // namespace bench
