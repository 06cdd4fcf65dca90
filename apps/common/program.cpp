#include "apps/common/program.hpp"

#include "apps/common/flags.hpp"
#include "apps/common/memory.hpp"
#include "apps/common/statistics.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

namespace apps {
namespace {

// A global variable on each core: all cores must return the same status from main.
int exit_status = 0;

double value(const Json& run, const char* key) { return run.at(key).get<double>(); }

}  // namespace

int run_program(int argc, char* argv[], bool (*body)()) {
  Grappa::init(&argc, &argv);
  Grappa::run([argc, argv, body] {
    check_no_surplus(argc, argv);
    if (!body()) Grappa::on_all_cores([] { exit_status = 1; });
  });
  const int status = Grappa::finalize();
  return exit_status != 0 ? exit_status : status;
}

bool report_wrong(const char* program, const std::string& error) {
  if (error.empty()) return false;
  std::cerr << std::string(program) + ": " + error + "\n" << std::flush;
  return true;
}

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

double available_over_all() {
  const double machines = Grappa::sum_all_cores(
      [] { return available_bytes() / Grappa::detail::topology().machine_cores; });
  return std::min(machines, double(Grappa::heap_bytes_free()));
}

void check_memory(const std::string& what, double bytes, double available,
                  const std::string& advice) {
  if (bytes <= available) return;
  Grappa::input_error(what + " " + Grappa::detail::human_bytes(bytes) + "; " +
                      Grappa::detail::human_bytes(available) + " are available" + advice);
}

void print_graph(const Json& run) {
  std::cout << "graph: " << run.at("graph").get<std::string>()
            << "\nvertices: " << run.at("vertices") << "\nedges: " << run.at("edges")
            << "\ncores: " << run.at("num_mpi_processes")
            << "\nalgorithm: " << run.at("algorithm").get<std::string>() << "\ninput ready in "
            << number("%.6f", value(run, "graph_generation")) << " s, graph built in "
            << number("%.6f", value(run, "construction_time")) << " s";
  const double edges = value(run, "edges");
  if (edges > 0) {
    std::cout << ", " << number("%.1f", value(run, "graph_bytes") / edges) << " bytes an edge";
  }
  std::cout << std::endl;
}

void print_scale(const Json& run) {
  if (!run.contains("SCALE")) return;
  std::cout << "SCALE: " << run.at("SCALE") << "\nedgefactor: " << run.at("edgefactor") << "\n";
}

void print_construction(const Json& run) {
  std::cout << "graph_generation: " << number("%.6g", value(run, "graph_generation"))
            << "\nnum_mpi_processes: " << run.at("num_mpi_processes")
            << "\nconstruction_time: " << number("%.6g", value(run, "construction_time"))
            << "\nconstruction_peak_bytes: "
            << number("%.0f", value(run, "construction_peak_bytes"))
            << "\ngraph_bytes: " << number("%.0f", value(run, "graph_bytes")) << "\n";
}

void report_statistics(const Json& trials, std::initializer_list<Quantity> quantities, Json* run) {
  for (const Quantity& quantity : quantities) {
    std::vector<double> values;
    for (const Json& trial : trials) values.push_back(value(trial, quantity.key));
    const Summary s = summarize(values);
    const std::string name = std::string("_") + quantity.name;
    Json statistics = {{"min" + name, s.min},       {"firstquartile" + name, s.first_quartile},
                       {"median" + name, s.median}, {"thirdquartile" + name, s.third_quartile},
                       {"max" + name, s.max},       {"mean" + name, s.mean},
                       {"stddev" + name, s.stddev}};
    if (quantity.is_rate) {
      const HarmonicSummary harmonic = summarize_rates(values);
      statistics["harmonic_mean" + name] = harmonic.mean;
      statistics["harmonic_stddev" + name] = harmonic.stddev;
    }
    report_values(statistics, run);
  }
}

void report_values(const Json& values, Json* run) {
  for (const auto& each : values.items()) {
    const Json& its = each.value();
    std::cout << each.key() << ": "
              << (its.is_number_float() ? number("%.15g", its.get<double>())
                  : its.is_string()     ? its.get<std::string>()
                                        : its.dump())
              << "\n";
    (*run)[each.key()] = its;
  }
}

void report_speed(const std::string& unit, double count, double seconds, Json* run) {
  const double speed = seconds > 0 ? count / seconds : 0;
  const double speed_of_core = speed / double(Grappa::cores());
  std::cout << "seconds: " << number("%.6f", seconds) << "\n"
            << unit << "_per_second: " << number("%.6e", speed) << "\n"
            << unit << "_per_second_per_core: " << number("%.6e", speed_of_core) << "\n";
  run->update({{"seconds", seconds},
               {unit + "_per_second", speed},
               {unit + "_per_second_per_core", speed_of_core}});
}

void write_json(const std::string& path, const Json& run) {
  const auto replace = Json::error_handler_t::replace;
  write_file("json", path, run.dump(2, ' ', false, replace) + "\n");
}

}  // namespace apps
