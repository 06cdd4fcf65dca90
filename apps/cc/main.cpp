/// Connected components of a generated graph or a file: builds the graph, finds its components a
/// given number of times, verifies each result, and prints the number of components, their sizes,
/// and the speed.
///
/// Exit status: 0 if every result is right, 1 if a result is wrong, 2 for invalid input.

#include <Grappa.hpp>

#include "apps/cc/cc_verify.hpp"
#include "apps/cc/component_sizes.hpp"
#include "apps/cc/components.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/vertex_file.hpp"
#include "structures/combining.hpp"
#include "structures/graph/graph_bytes.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

DEFINE_string(algorithm, "afforest",
              "kahan (three phases, cross edges in a GlobalSet), tuned (the same with one set on "
              "each core) or afforest (the fastest)");
DEFINE_int64(concurrent_roots, 64,
             "largest number of traversals of kahan and tuned in flight, over all cores; at least "
             "one on each");
DEFINE_int64(trials, 1, "number of times to find the components");
DEFINE_string(verify, "full", "verification of each result: none, rules or full");
DEFINE_string(labels, "",
              "output file for the label of each vertex: the smallest vertex of its component");
DEFINE_string(json, "", "output file for the results as JSON");

namespace {

using apps::GraphSource;
using apps::Json;
using apps::number;
using Grappa::GlobalAddress;
using Grappa::VertexID;

// The number of the largest sizes, and of the smallest sizes, that are printed.
constexpr size_t kSizesPrinted = 5;

// Each traversal needs its own start vertex.
void check_concurrent_roots(int64_t nv) {
  if (!apps::is_given("concurrent_roots")) return;
  apps::check_at_most("concurrent_roots", FLAGS_concurrent_roots, nv, "vertices of the graph");
}

// Checks everything that can be checked before the work begins. Returns the value of --verify.
cc::VerifyLevel check_flags() {
  apps::check_graph_flags();
  apps::check_choice("algorithm", FLAGS_algorithm, {"kahan", "tuned", "afforest"});
  Grappa::detail::default_combining();
  apps::check_range("concurrent_roots", FLAGS_concurrent_roots, 1, int64_t(1) << 40);
  check_concurrent_roots(apps::vertices_at_most());
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  const int verify = apps::check_choice("verify", FLAGS_verify, {"none", "rules", "full"});
  apps::check_writable("labels", FLAGS_labels);
  apps::check_writable("json", FLAGS_json);
  return static_cast<cc::VerifyLevel>(verify);
}

double bytes_needed(int64_t nv, int64_t nedge) {
  const double set = 64.0 * double(nv);  // of cross edges, with one entry for each vertex
  return std::max(Grappa::detail::graph_bytes_to_build(nv, nedge, sizeof(cc::Vertex)),
                  Grappa::detail::graph_bytes_at_rest(nv, nedge, sizeof(cc::Vertex)) + set +
                      cc::verify_bytes_needed(nv));
}

std::unique_ptr<cc::Components> make_components(GlobalAddress<cc::LabelGraph> g) {
  if (FLAGS_algorithm == "kahan") {
    return cc::kahan_components(g, Grappa::detail::default_combining(), FLAGS_concurrent_roots);
  }
  if (FLAGS_algorithm == "tuned") return cc::tuned_components(g, FLAGS_concurrent_roots);
  return cc::afforest_components(g);
}

bool counts_cross_edges() { return FLAGS_algorithm != "afforest"; }

// Example: "afforest" or "kahan, combining distributed, 64 traversals in flight".
std::string algorithm_description() {
  std::string text = FLAGS_algorithm;
  if (text == "kahan")
    text +=
        std::string(", combining ") + Grappa::detail::name_of(Grappa::detail::default_combining());
  if (!counts_cross_edges()) return text;
  return text + ", " + std::to_string(FLAGS_concurrent_roots) + " traversals in flight";
}

// Prints the result of a trial, and adds it to `trials`.
void add_trial(double seconds, double verify_seconds, int64_t components, double mteps,
               const cc::MeetingCounts& counts, Json* trials) {
  std::cout << "trial " << trials->size() << ": " << number("%.6f", seconds) << " s, " << components
            << " components, " << number("%.2f", mteps) << " million edges/s";
  Json trial = {{"time", seconds},
                {"validation_time", verify_seconds},
                {"components", components},
                {"MTEPS", mteps}};
  if (counts_cross_edges()) {
    std::cout << ", " << counts.inserts << " set inserts, " << counts.duplicates_removed()
              << " duplicates removed before being sent, " << counts.edges << " edges left, "
              << counts.rounds << " rounds";
    trial["set_inserts"] = counts.inserts;
    trial["duplicates_merged"] = counts.merged;
    trial["duplicates_known"] = counts.known;
    trial["duplicates_removed"] = counts.duplicates_removed();
    trial["reduced_edges"] = counts.edges;
    trial["rounds"] = counts.rounds;
  }
  std::cout << std::endl;
  trials->push_back(trial);
}

// The results of all trials, and of the verification.
struct Results {
  Json trials = Json::array();       // null if a trial is wrong
  bool compared = false;             // with a serial union-find
  std::map<int64_t, int64_t> sizes;  // number of components of each size
};

Results run_trials(GlobalAddress<cc::LabelGraph> g, const GraphSource& source,
                   cc::VerifyLevel verify) {
  const std::unique_ptr<cc::Components> components = make_components(g);
  const GlobalAddress<VertexID> label = Grappa::global_alloc<VertexID>(g->nv);
  cc::Verifier verifier(source.tuples(), g, verify);
  Results results;
  for (int64_t i = 0; i < FLAGS_trials; ++i) {
    const double start = Grappa::walltime();
    components->run();
    const double seconds = Grappa::walltime() - start;
    components->copy_labels(label);
    const double copied = Grappa::walltime();
    const cc::Verdict verdict = verifier.verify(label);
    const double verify_seconds = Grappa::walltime() - copied;
    if (!verdict.valid) {
      apps::report_wrong("cc", "wrong labels: " + verdict.sentence);
      results.trials = nullptr;
      break;
    }
    const double mteps = seconds > 0 ? double(source.tuples().nedge) / seconds / 1e6 : 0;
    add_trial(seconds, verify_seconds, cc::count_labels(label, g->nv), mteps,
              components->meeting_counts(), &results.trials);
  }
  if (!results.trials.is_null()) {
    results.compared = verifier.compares();
    results.sizes = cc::component_sizes(label, g->nv);
    if (!FLAGS_labels.empty()) {
      cc::take_smallest_labels(label, g->nv, source.original_ids());
      apps::write_pairs("labels", FLAGS_labels, g->nv, label, source.original_ids(), false);
    }
  }
  Grappa::global_free(label);
  return results;
}

// Prints in descending order of size.
void print_sizes(const std::map<int64_t, int64_t>& sizes) {
  size_t i = 0;
  for (auto each = sizes.rbegin(); each != sizes.rend(); ++each, ++i) {
    const bool left_out = i >= kSizesPrinted && i + kSizesPrinted < sizes.size();
    if (left_out && i == kSizesPrinted) std::cout << "...\n";
    if (left_out) continue;
    std::cout << "components of " << each->first << (each->first == 1 ? " vertex: " : " vertices: ")
              << each->second << "\n";
  }
}

// Prints the sum of a count over all trials.
void print_sum(const char* key, const Json& trials) {
  int64_t sum = 0;
  for (const Json& trial : trials) sum += trial[key].get<int64_t>();
  std::cout << key << ": " << sum << "\n";
}

// Prints the statistics, and writes the JSON file.
void report(Json run, const Results& results) {
  const Json& trials = results.trials;
  Json statistics;
  apps::add_statistics("time", trials, "time", &statistics);
  apps::add_rates("MTEPS", trials, "MTEPS", &statistics);
  apps::add_statistics("validate", trials, "validation_time", &statistics);
  run["components"] = trials.back()["components"];
  apps::print_scale(run, std::cout);
  std::cout << "trials: " << trials.size() << "\ncomponents: " << run["components"] << "\n";
  print_sizes(results.sizes);
  apps::print_construction(run, std::cout);
  if (counts_cross_edges()) {
    for (const char* key : {"set_inserts", "duplicates_merged", "duplicates_known"}) {
      print_sum(key, trials);
    }
  }
  apps::print_values(statistics, std::cout);
  std::cout << trials.size() << (trials.size() == 1 ? " trial" : " trials")
            << (FLAGS_verify == "none" ? ", not verified"
                : results.compared     ? " verified, also by a serial union-find"
                                       : " verified by the rules")
            << std::endl;
  run.update(statistics);
  run["verify"] = FLAGS_verify;
  run["verified"] = FLAGS_verify != "none";
  run["compared_with_serial"] = results.compared;
  run["trials"] = trials;
  run["sizes"] = Json::array();
  for (const auto& each : results.sizes) {
    run["sizes"].push_back({{"size", each.first}, {"components", each.second}});
  }
  apps::write_json(FLAGS_json, run);
}

bool benchmark() {
  const cc::VerifyLevel verify = check_flags();
  GraphSource source(&bytes_needed);
  const GlobalAddress<cc::LabelGraph> g = source.build<cc::LabelGraph>();
  check_concurrent_roots(g->nv);
  Json run;
  source.report(g, &run);
  run["algorithm"] = algorithm_description();
  apps::print_graph(run, std::cout);
  const Results results = run_trials(g, source, verify);
  const bool right = !results.trials.is_null();
  if (right) report(run, results);
  g->destroy();
  return right;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
