#include "apps/cc/cc_report.hpp"

#include "apps/common/graph_json.hpp"
#include "apps/common/named_values.hpp"

#include <nlohmann/json.hpp>

namespace cc {
namespace {

using apps::number;

// The number of the largest sizes, and of the smallest sizes, that are printed.
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
  apps::add_statistics("time", seconds, &values);
  apps::add_statistics("MTEPS", mteps, &values);
  apps::add_harmonic("MTEPS", mteps, &values);
  apps::add_statistics("validate", verify_seconds, &values);
  return values;
}

void print_size(int64_t size, int64_t count, std::ostream& out) {
  out << "components of " << size << (size == 1 ? " vertex: " : " vertices: ") << count << "\n";
}

// Prints in descending order of size.
void print_sizes(const std::map<int64_t, int64_t>& sizes, std::ostream& out) {
  size_t i = 0;
  for (auto each = sizes.rbegin(); each != sizes.rend(); ++each, ++i) {
    const bool left_out = i >= kSizesPrinted && i + kSizesPrinted < sizes.size();
    if (!left_out) print_size(each->first, each->second, out);
    if (left_out && i == kSizesPrinted) out << "...\n";
  }
}

// Sums over all trials.
void print_cross_edges(const std::vector<TrialResult>& trials, std::ostream& out) {
  int64_t inserts = 0, merged = 0, known = 0;
  for (const TrialResult& trial : trials) {
    inserts += trial.cross_edges.inserts;
    merged += trial.cross_edges.merged;
    known += trial.cross_edges.known;
  }
  out << "set_inserts: " << inserts << "\nduplicates_merged: " << merged
      << "\nduplicates_known: " << known << "\n";
}

const char* verification(const RunResult& run) {
  if (run.verify == "none") return ", not verified";
  return run.compared ? " verified, also by a serial union-find" : " verified by the rules";
}

}  // namespace

void print_trial(int64_t index, const RunResult& run, std::ostream& out) {
  const TrialResult& trial = run.trials[static_cast<size_t>(index)];
  out << "trial " << index << ": " << number("%.6f", trial.seconds) << " s, " << trial.components
      << " components, " << number("%.2f", trial.mteps()) << " million edges/s";
  if (run.has_cross_edges) {
    out << ", " << trial.cross_edges.inserts << " set inserts, "
        << trial.cross_edges.duplicates_removed() << " duplicates removed before being sent, "
        << trial.cross_edges.edges << " edges left, " << trial.cross_edges.rounds << " rounds";
  }
  out << std::endl;
}

void print_statistics(const RunResult& run, std::ostream& out) {
  apps::print_scale(run.graph, out);
  out << "trials: " << run.trials.size() << "\ncomponents: " << run.trials.back().components
      << "\n";
  print_sizes(run.sizes, out);
  apps::print_construction(run.graph, out);
  if (run.has_cross_edges) print_cross_edges(run.trials, out);
  for (const auto& value : statistics(run.trials)) {
    out << value.first << ": " << number("%.15g", value.second) << "\n";
  }
  out << run.trials.size() << (run.trials.size() == 1 ? " trial" : " trials") << verification(run)
      << std::endl;
}

std::string to_json(const RunResult& run) {
  nlohmann::ordered_json json = apps::to_json(run.graph);
  json["algorithm"] = run.algorithm;
  json["components"] = run.trials.back().components;
  for (const auto& value : statistics(run.trials)) json[value.first] = value.second;
  json["verify"] = run.verify;
  json["verified"] = run.verify != "none";
  json["compared_with_serial"] = run.compared;
  json["trials"] = nlohmann::ordered_json::array();
  for (const TrialResult& trial : run.trials) {
    nlohmann::ordered_json entry = {{"time", trial.seconds},
                                    {"validation_time", trial.verify_seconds},
                                    {"components", trial.components},
                                    {"MTEPS", trial.mteps()}};
    if (run.has_cross_edges) {
      entry["set_inserts"] = trial.cross_edges.inserts;
      entry["duplicates_merged"] = trial.cross_edges.merged;
      entry["duplicates_known"] = trial.cross_edges.known;
      entry["duplicates_removed"] = trial.cross_edges.duplicates_removed();
      entry["reduced_edges"] = trial.cross_edges.edges;
      entry["rounds"] = trial.cross_edges.rounds;
    }
    json["trials"].push_back(entry);
  }
  json["sizes"] = nlohmann::ordered_json::array();
  for (const auto& each : run.sizes) {
    json["sizes"].push_back({{"size", each.first}, {"components", each.second}});
  }
  return apps::text_of(json);
}

}  // namespace cc
