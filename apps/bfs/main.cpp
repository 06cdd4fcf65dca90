/// The Graph500 search benchmark ("Kernel 2") on a generated graph or a file: builds the graph,
/// searches it from a number of roots, validates every search, and prints the statistics.
///
/// Exit status: 0 if every search is valid, 1 if a search is invalid, 2 for invalid input.

#include <Grappa.hpp>

#include "apps/bfs/bfs_roots.hpp"
#include "apps/bfs/bfs_verify.hpp"
#include "apps/bfs/search.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/vertex_file.hpp"
#include "structures/combining.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/input_error.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

DEFINE_string(
    algorithm, "tuned",
    "queue (the frontier is a GlobalQueue), direction (direction-optimising, the frontier is a "
    "GlobalQueue or a bitmap) or tuned (the fastest)");
DEFINE_double(alpha, 14,
              "bottom-up if the frontier has more than 1/alpha of the unexplored edges; 0: never");
DEFINE_double(beta, 24, "top-down again once the frontier has less than 1/beta of the vertices");
DEFINE_int64(nbfs, 64, "number of searches, each from a different root; default 1 with --root");
DEFINE_int64(root, -1, "vertex to search from, instead of random vertices that have a neighbour");
DEFINE_string(verify, "full", "validation of each search: none, sampled or full");
DEFINE_string(parents, "", "output file for the parents; requires a single search");
DEFINE_string(levels, "", "output file for the levels; requires a single search");
DEFINE_string(json, "", "output file for the results as JSON");
DECLARE_int64(seed);

namespace {

using apps::GraphSource;
using apps::Json;
using apps::number;
using Grappa::GlobalAddress;
using Grappa::VertexID;

void check_root(int64_t nv) {
  if (apps::is_given("root")) apps::check_range("root", FLAGS_root, 0, nv - 1);
}

void check_search_file(const char* flag, const std::string& path) {
  const bool one_search = FLAGS_nbfs == 1 || (apps::is_given("root") && !apps::is_given("nbfs"));
  if (!path.empty() && !one_search) {
    Grappa::input_error("--" + std::string(flag) + " needs one search: give --root or --nbfs=1");
  }
  apps::check_writable(flag, path);
}

// Checks everything that can be checked before the work begins. Returns the value of --verify.
bfs::VerifyLevel check_flags() {
  apps::check_graph_flags();
  apps::check_choice("algorithm", FLAGS_algorithm, {"queue", "direction", "tuned"});
  Grappa::detail::default_combining();
  apps::check_range("alpha", FLAGS_alpha, 0, 1e18);
  apps::check_range("beta", FLAGS_beta, 0, 1e18);
  apps::check_range("nbfs", FLAGS_nbfs, 1, int64_t(1) << 20);
  check_root(apps::vertices_at_most());
  const int verify = apps::check_choice("verify", FLAGS_verify, {"none", "sampled", "full"});
  check_search_file("parents", FLAGS_parents);
  check_search_file("levels", FLAGS_levels);
  apps::check_writable("json", FLAGS_json);
  return static_cast<bfs::VerifyLevel>(verify);
}

double bytes_needed(int64_t nv, int64_t nedge) {
  constexpr size_t kVertexBytes = sizeof(bfs::SearchGraph::Vertex);
  // A search needs two queues of ids or the array of parents, and the bitmaps of every core.
  const double search = 16.0 * double(nv) + double(nv) / 2 * double(Grappa::cores());
  return std::max(Grappa::detail::graph_bytes_to_build(nv, nedge, kVertexBytes),
                  Grappa::detail::graph_bytes_at_rest(nv, nedge, kVertexBytes) + search +
                      bfs::verify_bytes_needed(nv));
}

std::unique_ptr<bfs::Search> make_search(GlobalAddress<bfs::SearchGraph> g) {
  bfs::DirectionOptions direction;
  direction.alpha = FLAGS_alpha;
  direction.beta = FLAGS_beta;
  if (FLAGS_algorithm == "queue") return bfs::queue_search(g, Grappa::detail::default_combining());
  if (FLAGS_algorithm == "direction") {
    return bfs::direction_search(g, Grappa::detail::default_combining(), direction);
  }
  return bfs::tuned_search(g, direction);
}

std::string search_description() {
  if (FLAGS_algorithm == "tuned") return FLAGS_algorithm;
  return FLAGS_algorithm + ", combining " +
         Grappa::detail::name_of(Grappa::detail::default_combining());
}

std::vector<VertexID> roots_of(GlobalAddress<bfs::SearchGraph> g, const GraphSource& source) {
  if (apps::is_given("root")) {
    return std::vector<VertexID>(size_t(apps::is_given("nbfs") ? FLAGS_nbfs : 1),
                                 source.current(FLAGS_root));
  }
  const std::vector<VertexID> roots = bfs::choose_roots(g, FLAGS_nbfs, uint64_t(FLAGS_seed));
  if (roots.empty()) {
    Grappa::input_error("no vertex of the graph has a neighbour; name a vertex with --root");
  }
  return roots;
}

void write_files(const GraphSource& source, VertexID root, GlobalAddress<VertexID> parents,
                 bfs::Verifier* verifier) {
  const int64_t nv = source.tuples().nv;
  if (!FLAGS_parents.empty()) {
    apps::write_pairs("parents", FLAGS_parents, nv, parents, source.original_ids(), true);
  }
  if (!FLAGS_levels.empty()) {
    const GlobalAddress<int64_t> levels = verifier->tree_levels(root, parents);
    apps::write_pairs("levels", FLAGS_levels, nv, levels, source.original_ids(), false);
    Grappa::global_free(levels);
  }
}

// Returns the results of all searches; null, after a message on stderr, if a search is wrong.
Json search_all(GlobalAddress<bfs::SearchGraph> g, const GraphSource& source,
                bfs::VerifyLevel verify) {
  const std::unique_ptr<bfs::Search> search = make_search(g);
  const GlobalAddress<VertexID> parents = Grappa::global_alloc<VertexID>(g->nv);
  bfs::Verifier verifier(source.tuples(), verify);
  Json searches = Json::array();
  for (const VertexID root : roots_of(g, source)) {
    const double start = Grappa::walltime();
    search->run(root);
    const double seconds = Grappa::walltime() - start;
    search->copy_parents(parents);
    const double copied = Grappa::walltime();
    const bfs::Verdict verdict = verifier.verify(root, parents);
    const bfs::Traversed traversed = verifier.count_traversed(parents);
    const double verify_seconds = Grappa::walltime() - copied;
    const VertexID original = source.original(root);
    if (!verdict.valid) {
      apps::report_wrong("bfs", "the search from root " + std::to_string(original) +
                                    " is wrong: " + verdict.sentence);
      searches = nullptr;
      break;
    }
    const double teps = seconds > 0 ? double(traversed.edges) / seconds : 0;
    std::cout << "search " << searches.size() << ": root " << original << ", "
              << number("%.6f", seconds) << " s, " << traversed.reached << " vertices, "
              << traversed.edges << " edges, " << number("%.6e", teps) << " TEPS" << std::endl;
    searches.push_back({{"root", original},
                        {"time", seconds},
                        {"validation_time", verify_seconds},
                        {"vertices", traversed.reached},
                        {"nedge", traversed.edges},
                        {"TEPS", teps}});
    write_files(source, root, parents, &verifier);
  }
  Grappa::global_free(parents);
  return searches;
}

// Prints the statistics in the order of the Graph500 reference codes, and writes the JSON file.
void report(Json run, const Json& searches) {
  Json statistics;
  apps::add_statistics("time", searches, "time", &statistics);
  apps::add_statistics("nedge", searches, "nedge", &statistics);
  apps::add_rates("TEPS", searches, "TEPS", &statistics);
  apps::add_statistics("validate", searches, "validation_time", &statistics);
  apps::print_scale(run, std::cout);
  std::cout << "NBFS: " << searches.size() << "\n";
  apps::print_construction(run, std::cout);
  apps::print_values(statistics, std::cout);
  std::cout << searches.size() << (searches.size() == 1 ? " search" : " searches")
            << (FLAGS_verify == "none"      ? ", not validated"
                : FLAGS_verify == "sampled" ? " validated by sampling"
                                            : " validated")
            << std::endl;
  run["NBFS"] = searches.size();
  run.update(statistics);
  run["verify"] = FLAGS_verify;
  run["validated"] = FLAGS_verify == "full";
  run["searches"] = searches;
  apps::write_json(FLAGS_json, run);
}

bool benchmark() {
  const bfs::VerifyLevel verify = check_flags();
  GraphSource source(&bytes_needed);
  if (source.tuples().nv > 0) check_root(source.tuples().nv);
  typedef GlobalAddress<bfs::SearchGraph> Graph;
  const Graph g = source.build<bfs::SearchGraph>([](Graph built) { built->order_by_degree(); });
  check_root(g->nv);
  Json run;
  source.report(g, &run);
  run["algorithm"] = search_description();
  apps::print_graph(run, std::cout);
  const Json searches = search_all(g, source, verify);
  if (!searches.is_null()) report(run, searches);
  g->destroy();
  return !searches.is_null();
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
