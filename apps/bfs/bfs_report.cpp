#include "apps/bfs/bfs_report.hpp"

#include "apps/common/named_values.hpp"
#include "apps/common/statistics.hpp"

#include <nlohmann/json.hpp>

namespace bfs {
namespace {

using apps::number;

// In the order of the reference codes. TEPS have a harmonic mean, being rates; the arithmetic one
// is given beside it.
apps::NamedValues statistics(const std::vector<SearchResult>& searches) {
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
  apps::NamedValues values;
  const apps::Summary of_time = apps::summarize(seconds);
  apps::add_summary("time", of_time, &values);
  apps::add_mean("time", of_time, &values);
  const apps::Summary of_edges = apps::summarize(edges);
  apps::add_summary("nedge", of_edges, &values);
  apps::add_mean("nedge", of_edges, &values);
  const apps::Summary of_teps = apps::summarize(teps);
  apps::add_summary("TEPS", of_teps, &values);
  apps::add_mean("TEPS", of_teps, &values);
  apps::add_harmonic("TEPS", apps::summarize_rates(teps), &values);
  const apps::Summary of_validation = apps::summarize(verify_seconds);
  apps::add_summary("validate", of_validation, &values);
  apps::add_mean("validate", of_validation, &values);
  return values;
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
