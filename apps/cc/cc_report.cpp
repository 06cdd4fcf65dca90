#include "apps/cc/cc_report.hpp"

#include "apps/common/named_values.hpp"
#include "apps/common/statistics.hpp"

#include <nlohmann/json.hpp>

namespace cc {
namespace {

using apps::number;

// Of the sizes that are printed: the largest and the smallest.
constexpr size_t kSizesPrinted = 5;

apps::NamedValues statistics(const std::vector<TrialResult>& trials) {
  std::vector<double> seconds;
  std::vector<double> mteps;
  std::vector<double> verify_seconds;
  for (const TrialResult& trial : trials) {
    seconds.push_back(trial.seconds);
    mteps.push_back(trial.mteps());
    verify_seconds.push_back(trial.verify_seconds);
  }
  apps::NamedValues values;
  const apps::Summary of_time = apps::summarize(seconds);
  apps::add_summary("time", of_time, &values);
  apps::add_mean("time", of_time, &values);
  const apps::Summary of_mteps = apps::summarize(mteps);
  apps::add_summary("MTEPS", of_mteps, &values);
  apps::add_mean("MTEPS", of_mteps, &values);
  apps::add_harmonic("MTEPS", apps::summarize_rates(mteps), &values);
  const apps::Summary of_validation = apps::summarize(verify_seconds);
  apps::add_summary("validate", of_validation, &values);
  apps::add_mean("validate", of_validation, &values);
  return values;
}

void print_size(int64_t size, int64_t count, std::ostream& out) {
  out << "components of " << size << (size == 1 ? " vertex: " : " vertices: ") << count << "\n";
}

// From the largest on.
void print_sizes(const std::map<int64_t, int64_t>& sizes, std::ostream& out) {
  size_t i = 0;
  for (auto each = sizes.rbegin(); each != sizes.rend(); ++each, ++i) {
    const bool left_out = i >= kSizesPrinted && i + kSizesPrinted < sizes.size();
    if (!left_out) print_size(each->first, each->second, out);
    if (left_out && i == kSizesPrinted) out << "...\n";
  }
}

// Of all trials together.
void print_meetings(const std::vector<TrialResult>& trials, std::ostream& out) {
  int64_t inserts = 0, removed = 0;
  for (const TrialResult& trial : trials) {
    inserts += trial.meetings.inserts;
    removed += trial.meetings.duplicates_removed();
  }
  out << "set_inserts: " << inserts << "\nduplicates_removed: " << removed << "\n";
}

const char* verification(const RunResult& run) {
  if (run.verify == "none") return ", not verified";
  return run.compared ? " verified, also by a serial union-find" : " verified by the rules";
}

}  // namespace

void print_graph(const RunResult& run, std::ostream& out) {
  out << "graph: " << run.graph << "\nvertices: " << run.vertices << "\nedges: " << run.edges
      << "\ncores: " << run.cores << "\nalgorithm: " << run.algorithm << "\nmade or read in "
      << number("%.6f", run.generation_seconds) << " s, constructed in "
      << number("%.6f", run.construction_seconds) << " s";
  if (run.edges > 0) {
    out << ", " << number("%.1f", run.graph_bytes / double(run.edges)) << " bytes an edge";
  }
  out << std::endl;
}

void print_trial(int64_t index, const RunResult& run, std::ostream& out) {
  const TrialResult& trial = run.trials[static_cast<size_t>(index)];
  out << "trial " << index << ": " << number("%.6f", trial.seconds) << " s, " << trial.components
      << " components, " << number("%.2f", trial.mteps()) << " million edges/s";
  if (run.has_meetings) {
    out << ", " << trial.meetings.inserts << " set inserts, " << trial.meetings.duplicates_removed()
        << " duplicates removed before being sent, " << trial.meetings.edges << " edges left, "
        << trial.meetings.rounds << " rounds";
  }
  out << std::endl;
}

void print_statistics(const RunResult& run, std::ostream& out) {
  if (run.kronecker) {
    out << "SCALE: " << run.scale << "\nedgefactor: " << run.edgefactor << "\n";
  }
  out << "trials: " << run.trials.size() << "\ncomponents: " << run.trials.back().components
      << "\n";
  print_sizes(run.sizes, out);
  out << "graph_generation: " << number("%.6g", run.generation_seconds) << "\n"
      << "num_mpi_processes: " << run.cores << "\n"
      << "construction_time: " << number("%.6g", run.construction_seconds) << "\n"
      << "construction_peak_bytes: " << number("%.0f", run.construction_peak_bytes) << "\n"
      << "graph_bytes: " << number("%.0f", run.graph_bytes) << "\n";
  if (run.has_meetings) print_meetings(run.trials, out);
  for (const auto& value : statistics(run.trials)) {
    out << value.first << ": " << number("%.15g", value.second) << "\n";
  }
  out << run.trials.size() << (run.trials.size() == 1 ? " trial" : " trials") << verification(run)
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
  json["components"] = run.trials.back().components;
  json["num_mpi_processes"] = run.cores;
  json["graph_generation"] = run.generation_seconds;
  json["construction_time"] = run.construction_seconds;
  for (const auto& value : statistics(run.trials)) json[value.first] = value.second;
  json["construction_peak_bytes"] = run.construction_peak_bytes;
  json["graph_bytes"] = run.graph_bytes;
  json["verify"] = run.verify;
  json["verified"] = run.verify != "none";
  json["compared_with_serial"] = run.compared;
  json["trials"] = nlohmann::ordered_json::array();
  for (const TrialResult& trial : run.trials) {
    nlohmann::ordered_json entry = {{"time", trial.seconds},
                                    {"validation_time", trial.verify_seconds},
                                    {"components", trial.components},
                                    {"MTEPS", trial.mteps()}};
    if (run.has_meetings) {
      entry["set_inserts"] = trial.meetings.inserts;
      entry["duplicates_merged"] = trial.meetings.merged;
      entry["duplicates_known"] = trial.meetings.known;
      entry["duplicates_removed"] = trial.meetings.duplicates_removed();
      entry["reduced_edges"] = trial.meetings.edges;
      entry["rounds"] = trial.meetings.rounds;
    }
    json["trials"].push_back(entry);
  }
  json["sizes"] = nlohmann::ordered_json::array();
  for (const auto& each : run.sizes) {
    json["sizes"].push_back({{"size", each.first}, {"components", each.second}});
  }
  // A path may hold bytes that are not UTF-8.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace cc
