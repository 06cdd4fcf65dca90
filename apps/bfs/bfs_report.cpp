#include "apps/bfs/bfs_report.hpp"

#include "apps/common/graph_json.hpp"
#include "apps/common/named_values.hpp"

#include <nlohmann/json.hpp>

namespace bfs {
namespace {

using apps::number;

// The order is that of the Graph500 reference codes. TEPS are rates and have a harmonic mean; the
// arithmetic mean is printed as well.
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
  apps::add_statistics("time", seconds, &values);
  apps::add_statistics("nedge", edges, &values);
  apps::add_statistics("TEPS", teps, &values);
  apps::add_harmonic("TEPS", teps, &values);
  apps::add_statistics("validate", verify_seconds, &values);
  return values;
}

}  // namespace

void print_search(int64_t index, const SearchResult& search, std::ostream& out) {
  out << "search " << index << ": root " << search.root << ", " << number("%.6f", search.seconds)
      << " s, " << search.reached << " vertices, " << search.traversed_edges << " edges, "
      << number("%.6e", search.teps()) << " TEPS" << std::endl;
}

void print_statistics(const RunResult& run, std::ostream& out) {
  apps::print_scale(run.graph, out);
  out << "NBFS: " << run.searches.size() << "\n";
  apps::print_construction(run.graph, out);
  for (const auto& value : statistics(run.searches)) {
    out << value.first << ": " << number("%.15g", value.second) << "\n";
  }
  out << run.searches.size() << (run.searches.size() == 1 ? " search" : " searches")
      << (run.verify == "none"      ? ", not validated"
          : run.verify == "sampled" ? " validated by sampling"
                                    : " validated")
      << std::endl;
}

std::string to_json(const RunResult& run) {
  nlohmann::ordered_json json = apps::to_json(run.graph);
  json["algorithm"] = run.algorithm;
  json["NBFS"] = run.searches.size();
  for (const auto& value : statistics(run.searches)) json[value.first] = value.second;
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
  return apps::text_of(json);
}

}  // namespace bfs
