#include "apps/gups/gups_report.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace gups {
namespace {

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

double per_core(const RunResult& run) { return run.updates_per_second() / double(run.cores); }

}  // namespace

const char* name_of(Mode mode) {
  switch (mode) {
    case Mode::Async: return "async";
    case Mode::Blocking: return "blocking";
    case Mode::Xor: break;
  }
  return "xor";
}

void print_plan(const RunResult& run, std::ostream& out) {
  out << "table: 2^" << run.log_table << " words\nmode: " << name_of(run.mode)
      << "\nupdates: " << run.updates << "\ncores: " << run.cores << std::endl;
}

void print_rates(const RunResult& run, std::ostream& out) {
  out << "seconds: " << number("%.6f", run.seconds)
      << "\nupdates_per_second: " << number("%.6e", run.updates_per_second())
      << "\nupdates_per_second_per_core: " << number("%.6e", per_core(run)) << "\nverified"
      << std::endl;
}

std::string to_json(const RunResult& run) {
  nlohmann::ordered_json json;
  json["log_table"] = run.log_table;
  json["mode"] = name_of(run.mode);
  json["updates"] = run.updates;
  json["cores"] = run.cores;
  json["seconds"] = run.seconds;
  json["updates_per_second"] = run.updates_per_second();
  json["updates_per_second_per_core"] = per_core(run);
  json["verified"] = true;
  return json.dump(2) + "\n";
}

}  // namespace gups
