#include "apps/common/report.hpp"

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/common/statistics.hpp"

#include <nlohmann/json.hpp>
#include <vector>

namespace apps {
namespace {

double value(const Json& run, const char* key) { return run.at(key).get<double>(); }

std::vector<double> column(const Json& trials, const char* key) {
  std::vector<double> values;
  for (const Json& trial : trials) values.push_back(value(trial, key));
  return values;
}

}  // namespace

void print_graph(const Json& run, std::ostream& out) {
  out << "graph: " << run.at("graph").get<std::string>() << "\nvertices: " << run.at("vertices")
      << "\nedges: " << run.at("edges") << "\ncores: " << run.at("num_mpi_processes")
      << "\nalgorithm: " << run.at("algorithm").get<std::string>() << "\ninput ready in "
      << number("%.6f", value(run, "graph_generation")) << " s, graph built in "
      << number("%.6f", value(run, "construction_time")) << " s";
  const double edges = value(run, "edges");
  if (edges > 0) {
    out << ", " << number("%.1f", value(run, "graph_bytes") / edges) << " bytes an edge";
  }
  out << std::endl;
}

void print_scale(const Json& run, std::ostream& out) {
  if (!run.contains("SCALE")) return;
  out << "SCALE: " << run.at("SCALE") << "\nedgefactor: " << run.at("edgefactor") << "\n";
}

void print_construction(const Json& run, std::ostream& out) {
  out << "graph_generation: " << number("%.6g", value(run, "graph_generation"))
      << "\nnum_mpi_processes: " << run.at("num_mpi_processes")
      << "\nconstruction_time: " << number("%.6g", value(run, "construction_time"))
      << "\nconstruction_peak_bytes: " << number("%.0f", value(run, "construction_peak_bytes"))
      << "\ngraph_bytes: " << number("%.0f", value(run, "graph_bytes")) << "\n";
}

void add_statistics(const std::string& quantity, const Json& trials, const char* key,
                    Json* values) {
  const Summary s = summarize(column(trials, key));
  (*values)["min_" + quantity] = s.min;
  (*values)["firstquartile_" + quantity] = s.first_quartile;
  (*values)["median_" + quantity] = s.median;
  (*values)["thirdquartile_" + quantity] = s.third_quartile;
  (*values)["max_" + quantity] = s.max;
  (*values)["mean_" + quantity] = s.mean;
  (*values)["stddev_" + quantity] = s.stddev;
}

void add_rates(const std::string& quantity, const Json& trials, const char* key, Json* values) {
  add_statistics(quantity, trials, key, values);
  const HarmonicSummary s = summarize_rates(column(trials, key));
  (*values)["harmonic_mean_" + quantity] = s.mean;
  (*values)["harmonic_stddev_" + quantity] = s.stddev;
}

void print_values(const Json& values, std::ostream& out) {
  for (const auto& each : values.items()) {
    out << each.key() << ": " << number("%.15g", each.value().get<double>()) << "\n";
  }
}

void write_json(const std::string& path, const Json& run) {
  const auto replace = Json::error_handler_t::replace;
  write_file("json", path, run.dump(2, ' ', false, replace) + "\n");
}

}  // namespace apps
