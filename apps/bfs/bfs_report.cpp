#include "apps/bfs/bfs_report.hpp"

#include "apps/common/statistics.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

namespace bfs {
namespace {

typedef std::vector<std::pair<std::string, double>> NamedValues;

void add_summary(const std::string& quantity, const apps::Summary& s, NamedValues* values) {
  values->push_back({"min_" + quantity, s.min});
  values->push_back({"firstquartile_" + quantity, s.first_quartile});
  values->push_back({"median_" + quantity, s.median});
  values->push_back({"thirdquartile_" + quantity, s.third_quartile});
  values->push_back({"max_" + quantity, s.max});
}

void add_mean(const std::string& quantity, const apps::Summary& s, NamedValues* values) {
  values->push_back({"mean_" + quantity, s.mean});
  values->push_back({"stddev_" + quantity, s.stddev});
}

// In the order of the reference codes. TEPS have a harmonic mean, being rates; the arithmetic one
// is given beside it.
NamedValues statistics(const std::vector<SearchResult>& searches) {
  std::vector<double> seconds;
  std::vector<double> edges;
  std::vector<double> teps;
  std::vector<double> verify_seconds;
  for (const SearchResult& search : searches) {
    seconds.push_back(search.seconds);
    verify_seconds.push_back(search.verify_seconds);
    edges.push_back(double(search.traversed_edges));
    teps.push_back(search.teps());
  }
  NamedValues values;
  const apps::Summary of_time = apps::summarize(seconds);
  add_summary("time", of_time, &values);
  add_mean("time", of_time, &values);
  const apps::Summary of_edges = apps::summarize(edges);
  add_summary("nedge", of_edges, &values);
  add_mean("nedge", of_edges, &values);
  const apps::Summary of_teps = apps::summarize(teps);
  add_summary("TEPS", of_teps, &values);
  add_mean("TEPS", of_teps, &values);
  const apps::HarmonicSummary harmonic = apps::summarize_rates(teps);
  values.push_back({"harmonic_mean_TEPS", harmonic.mean});
  values.push_back({"harmonic_stddev_TEPS", harmonic.stddev});
  const apps::Summary of_validation = apps::summarize(verify_seconds);
  add_summary("validate", of_validation, &values);
  add_mean("validate", of_validation, &values);
  return values;
}

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

void print_graph(const RunResult& run, std::ostream& out) {
  out << "graph: " << run.graph << "\nvertices: " << run.vertices << "\nedges: " << run.edges
      << "\ncores: " << run.cores << "\nsearch: " << run.algorithm << "\nmade or read in "
      << number("%.6f", run.generation_seconds) << " s, constructed in "
      << number("%.6f", run.construction_seconds) << " s";
  if (run.edges > 0) {
    out << ", " << number("%.1f", run.graph_bytes / double(run.edges)) << " bytes an edge";
  }
  out << std::endl;
}

void print_search(int64_t index, const SearchResult& search, std::ostream& out) {
  out << "search " << index << ": root " << search.root << ", " << number("%.6f", search.seconds)
      << " s, " << search.reached << " vertices, " << search.traversed_edges << " edges, "
      << number("%.6e", search.teps()) << " TEPS" << std::endl;
}

void print_statistics(const RunResult& run, std::ostream& out) {
  if (run.kronecker) {
    out << "SCALE: " << run.scale << "\nedgefactor: " << run.edgefactor << "\n";
  }
  out << "NBFS: " << run.searches.size() << "\n"
      << "graph_generation: " << number("%.6g", run.generation_seconds) << "\n"
      << "num_mpi_processes: " << run.cores << "\n"
      << "construction_time: " << number("%.6g", run.construction_seconds) << "\n"
      << "construction_peak_bytes: " << number("%.0f", run.construction_peak_bytes) << "\n"
      << "graph_bytes: " << number("%.0f", run.graph_bytes) << "\n";
  for (const auto& value : statistics(run.searches)) {
    out << value.first << ": " << number("%.15g", value.second) << "\n";
  }
  out << run.searches.size() << (run.searches.size() == 1 ? " search" : " searches")
      << (run.verify == "none"      ? ", not validated"
          : run.verify == "sampled" ? " validated by samples"
                                    : " validated")
      << std::endl;
}

std::string to_json(const RunResult& run) {
  nlohmann::ordered_json json;
  json["graph"] = run.graph;
  if (run.kronecker) {
    json["SCALE"] = run.scale;
    json["edgefactor"] = run.edgefactor;
    json["seed"] = run.seed;
  }
  json["algorithm"] = run.algorithm;
  json["vertices"] = run.vertices;
  json["edges"] = run.edges;
  json["NBFS"] = run.searches.size();
  json["num_mpi_processes"] = run.cores;
  json["graph_generation"] = run.generation_seconds;
  json["construction_time"] = run.construction_seconds;
  for (const auto& value : statistics(run.searches)) json[value.first] = value.second;
  json["construction_peak_bytes"] = run.construction_peak_bytes;
  json["graph_bytes"] = run.graph_bytes;
  json["verify"] = run.verify;
  json["validated"] = run.verify == "full";
  json["searches"] = nlohmann::ordered_json::array();
  for (const SearchResult& search : run.searches) {
    json["searches"].push_back({{"root", search.root},
                                {"time", search.seconds},
                                {"validation_time", search.verify_seconds},
                                {"vertices", search.reached},
                                {"nedge", search.traversed_edges},
                                {"TEPS", search.teps()}});
  }
  // A path may hold bytes that are not UTF-8.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace bfs
