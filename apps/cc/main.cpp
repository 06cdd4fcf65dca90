/// Connected components of a generated graph or a file: finds them a given number of times,
/// verifies each result, and prints the number of components, their sizes, and the speed.

#include "apps/cc/cc_verify.hpp"
#include "apps/common/classes.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

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

using namespace cc;
using apps::Json;
using apps::number;

constexpr size_t kSizesPrinted = 5;  // number of largest sizes, and of smallest sizes

// Each traversal needs its own start vertex.
void check_concurrent_roots(int64_t nv) {
  apps::check_at_most("concurrent_roots", FLAGS_concurrent_roots, nv, "vertices of the graph");
}

// Checks everything that can be checked before the work begins. Returns the value of --verify.
VerifyLevel check_flags() {
  apps::check_graph_flags();
  apps::check_choice("algorithm", FLAGS_algorithm, {"kahan", "tuned", "afforest"});
  Grappa::detail::default_combining();
  apps::check_range("concurrent_roots", FLAGS_concurrent_roots, 1, int64_t(1) << 40);
  check_concurrent_roots(apps::vertices_at_most());
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  const int verify = apps::check_choice("verify", FLAGS_verify, {"none", "rules", "full"});
  apps::check_values_file("labels", FLAGS_labels);
  apps::check_writable("json", FLAGS_json);
  return static_cast<VerifyLevel>(verify);
}

double bytes_needed(int64_t nv, int64_t nedge) {
  const double set = 64.0 * double(nv);  // the set of cross edges, with one entry for each vertex
  return std::max(apps::graph_bytes_needed<LabelGraph>(nv, nedge),
                  Grappa::detail::graph_bytes_at_rest(nv, nedge, sizeof(Vertex)) + set +
                      verify_bytes_needed(nv));
}

bool counts_cross_edges() { return FLAGS_algorithm != "afforest"; }

// Creates the algorithm. Adds its description to `run`, such as "kahan, combining distributed, 64
// traversals in flight".
std::unique_ptr<Components> make_components(GlobalAddress<LabelGraph> g, Json* run) {
  (*run)["algorithm"] = FLAGS_algorithm;
  if (!counts_cross_edges()) return afforest_components(g);
  const bool tuned = FLAGS_algorithm == "tuned";
  const auto mode = tuned ? Grappa::Combining::Distributed : Grappa::detail::default_combining();
  (*run)["algorithm"] = FLAGS_algorithm +
                        (tuned ? "" : std::string(", combining ") + Grappa::detail::name_of(mode)) +
                        ", " + std::to_string(FLAGS_concurrent_roots) + " traversals in flight";
  return kahan_components(g, {mode, FLAGS_concurrent_roots, tuned});
}

// Finds and verifies the components, prints a line, and adds the result to `trials`. If the labels
// are wrong, prints a message on stderr and returns false.
bool add_trial(Components* components, GlobalAddress<VertexID> label, const apps::InputEdges& edges,
               Verifier* verifier, Json* trials) {
  const double seconds = apps::seconds_of([=] { components->run(); });
  components->copy_labels(label);
  Verdict verdict;
  const double verify_seconds = apps::seconds_of([&] { verdict = verifier->verify(label); });
  if (!verdict.valid) return !apps::report_wrong("cc", "wrong labels: " + verdict.sentence);
  const int64_t found = apps::count_classes(label, edges.nv());
  const double mteps = seconds > 0 ? double(edges.nedge()) / seconds / 1e6 : 0;
  std::cout << "trial " << trials->size() << ": " << number("%.6f", seconds) << " s, " << found
            << " components, " << number("%.2f", mteps) << " million edges/s";
  trials->push_back({{"time", seconds},
                     {"validation_time", verify_seconds},
                     {"components", found},
                     {"MTEPS", mteps}});
  if (counts_cross_edges()) {
    const MeetingCounts counts = components->meeting_counts();
    std::cout << ", " << counts.inserts << " set inserts, " << counts.duplicates_removed()
              << " duplicates removed before being sent, " << counts.edges << " edges left, "
              << counts.rounds << " rounds";
    trials->back().update({{"set_inserts", counts.inserts},
                           {"duplicates_merged", counts.merged},
                           {"duplicates_known", counts.known},
                           {"duplicates_removed", counts.duplicates_removed()},
                           {"reduced_edges", counts.edges},
                           {"rounds", counts.rounds}});
  }
  std::cout << std::endl;
  return true;
}

// Prints the sizes in descending order, and adds all sizes to `run`.
void report_sizes(const std::map<int64_t, int64_t>& sizes, Json* run) {
  Json all = Json::array();
  for (const auto& each : sizes) all.push_back({{"size", each.first}, {"components", each.second}});
  for (size_t i = all.size(); i-- > 0;) {
    const bool is_printed = i < kSizesPrinted || i + kSizesPrinted >= all.size();
    if (is_printed) {
      const char* const unit = all[i]["size"] == 1 ? " vertex: " : " vertices: ";
      std::cout << "components of " << all[i]["size"] << unit << all[i]["components"] << "\n";
    } else if (i == kSizesPrinted) {
      std::cout << "...\n";
    }
  }
  (*run)["sizes"] = all;
}

// Prints the statistics, and writes the JSON file.
void report(Json run, const Json& trials, const std::map<int64_t, int64_t>& sizes, bool compared) {
  apps::print_scale(run);
  std::cout << "trials: " << trials.size() << "\n";
  apps::report_values({{"components", trials.back()["components"]}}, &run);
  report_sizes(sizes, &run);
  apps::print_construction(run);
  for (const char* key : {"set_inserts", "duplicates_merged", "duplicates_known"}) {
    int64_t sum = 0;
    for (const Json& trial : trials) sum += trial.value(key, int64_t(0));
    if (counts_cross_edges()) std::cout << key << ": " << sum << "\n";
  }
  apps::report_statistics(
      trials,
      {{"time", "time", false}, {"MTEPS", "MTEPS", true}, {"validate", "validation_time", false}},
      &run);
  std::cout << trials.size() << (trials.size() == 1 ? " trial" : " trials")
            << (FLAGS_verify == "none" ? ", not verified"
                : compared             ? " verified, also by a serial union-find"
                                       : " verified by the rules")
            << std::endl;
  run["verify"] = FLAGS_verify;
  run["verified"] = FLAGS_verify != "none";
  run["compared_with_serial"] = compared;
  run["trials"] = trials;
  apps::write_json(FLAGS_json, run);
}

bool benchmark() {
  const VerifyLevel verify = check_flags();
  apps::GraphSource source(&bytes_needed);
  const GlobalAddress<LabelGraph> g = source.build<LabelGraph>();
  check_concurrent_roots(g->nv);
  Json run, trials = Json::array();
  source.report(g, &run);
  bool right = true;
  {
    const std::unique_ptr<Components> components = make_components(g, &run);
    apps::print_graph(run);
    const GlobalAddress<VertexID> label = Grappa::global_alloc<VertexID>(g->nv);
    Verifier verifier(source.edges(), g, verify);
    for (int64_t i = 0; i < FLAGS_trials && right; ++i) {
      right = add_trial(components.get(), label, source.edges(), &verifier, &trials);
    }
    if (right) {
      const std::map<int64_t, int64_t> sizes = apps::class_sizes(label, g->nv);
      if (!FLAGS_labels.empty()) apps::take_smallest_labels(label, g->nv, source.original_ids());
      source.write_values("labels", FLAGS_labels, label, false);
      report(run, trials, sizes, verifier.compares());
    }
    Grappa::global_free(label);
  }
  g->destroy();
  return right;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
