/// The Graph500 search benchmark ("Kernel 2") on a generated graph or a file: builds the graph,
/// searches it from a number of roots, validates every search, and prints the statistics.

#include "apps/bfs/bfs_verify.hpp"
#include "apps/bfs/search.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/roots.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

DEFINE_string(algorithm, "tuned",
              "queue (the frontier is a GlobalQueue), direction (queue, and a bitmap in bottom-up "
              "steps) or tuned (the fastest)");
DEFINE_double(alpha, 60,
              "bottom-up if the frontier has more than 1/alpha of the unexplored edges; 0: never; "
              "the default for tuned is 25 if the graph has 256 * cores^2 vertices or more");
DEFINE_double(beta, 24, "top-down again once the frontier has less than 1/beta of the vertices");
DEFINE_int64(nbfs, 64, "number of searches, each from a different root; default 1 with --root");
DEFINE_int64(root, -1, "vertex to search from, instead of random vertices that have a neighbour");
DEFINE_string(verify, "full", "validation of each search: none, sampled or full");
DEFINE_string(parents, "", "output file for the parents; requires a single search");
DEFINE_string(levels, "", "output file for the levels; requires a single search");
DEFINE_string(json, "", "output file for the results as JSON");
DECLARE_int64(seed);

namespace {

using namespace bfs;
using apps::Json;

void check_root(int64_t nv) {
  if (apps::is_given("root")) apps::check_range("root", FLAGS_root, 0, nv - 1);
}

// Checks all flags that can be checked before the work begins. Returns the value of --verify.
VerifyLevel check_flags() {
  apps::check_graph_flags();
  apps::check_choice("algorithm", FLAGS_algorithm, {"queue", "direction", "tuned"});
  Grappa::detail::default_combining();
  apps::check_range("alpha", FLAGS_alpha, 0, 1e18);
  apps::check_range("beta", FLAGS_beta, 0, 1e18);
  apps::check_range("nbfs", FLAGS_nbfs, 1, int64_t(1) << 20);
  check_root(apps::vertices_at_most());
  if (apps::is_given("root") && !apps::is_given("nbfs")) FLAGS_nbfs = 1;
  const int verify = apps::check_choice("verify", FLAGS_verify, {"none", "sampled", "full"});
  if (FLAGS_nbfs != 1) {
    apps::reject({"parents", "levels"}, " needs one search: give --root or --nbfs=1");
  }
  apps::check_values_file("parents", FLAGS_parents);
  apps::check_values_file("levels", FLAGS_levels);
  apps::check_writable("json", FLAGS_json);
  return static_cast<VerifyLevel>(verify);
}

double bytes_needed(int64_t nv, int64_t nedge) {
  // A search needs two queues of ids, or the array of parents, frontiers and leaves, and bitmaps
  // with a bit for each slot: one of each core and 3 of each locale.
  const double bitmaps = Grappa::cores() + 3.0 * Grappa::locales();
  const double search = 24.0 * double(nv) + apps::slots_at_most(nv) / 8 * bitmaps;
  return std::max(apps::graph_bytes_needed<SearchGraph>(nv, nedge),
                  Grappa::detail::graph_bytes_at_rest(nv, nedge, sizeof(SearchGraph::Vertex)) +
                      search + verify_bytes_needed(nv));
}

// An edge of a top-down step may cost a message. A claim costs less if a core sends many claims to
// each other core. docs/performance.md has the measurements, all at scale 20.
double alpha(int64_t nv) {
  const double pairs = double(Grappa::cores()) * double(Grappa::cores());
  const bool many = FLAGS_algorithm == "tuned" && double(nv) >= 256 * pairs;
  return many && !apps::is_given("alpha") ? 25 : FLAGS_alpha;
}

// Creates the algorithm that --algorithm selects. Adds its description to `run`.
std::unique_ptr<Search> make_search(GlobalAddress<SearchGraph> g, Json* run) {
  const DirectionOptions direction = {alpha(g->nv), FLAGS_beta};
  (*run)["algorithm"] = FLAGS_algorithm;
  if (FLAGS_algorithm != "queue") (*run)["alpha"] = direction.alpha;
  if (FLAGS_algorithm == "tuned") return tuned_search(g, direction);
  const Grappa::Combining mode = Grappa::detail::default_combining();
  (*run)["algorithm"] = FLAGS_algorithm + ", combining " + Grappa::detail::name_of(mode);
  return FLAGS_algorithm == "queue" ? queue_search(g, mode) : direction_search(g, mode, direction);
}

std::vector<VertexID> roots_of(GlobalAddress<SearchGraph> g, const apps::GraphSource& source) {
  if (apps::is_given("root")) {
    return std::vector<VertexID>(size_t(FLAGS_nbfs), source.current(FLAGS_root));
  }
  const std::vector<VertexID> roots =
      apps::choose_roots(g->lists(), FLAGS_nbfs, uint64_t(FLAGS_seed));
  if (roots.empty()) {
    Grappa::input_error("no vertex of the graph has a neighbour; name a vertex with --root");
  }
  return roots;
}

// Searches from `root`, prints a line, writes the files, and adds the result to `searches`. If the
// search is wrong, prints a message on stderr and returns false.
bool add_search(const apps::GraphSource& source, Search* search, VertexID root,
                GlobalAddress<VertexID> parents, Verifier* verifier, Json* searches) {
  Levels levels;
  const double seconds = apps::seconds_of([&] { levels = search->run(root); });
  search->copy_parents(parents);
  Verdict verdict;
  Traversed traversed;
  const double verify_seconds = apps::seconds_of([&] {
    verdict = verifier->verify(root, parents);
    traversed = verifier->count_traversed(parents);
  });
  const VertexID original = source.original(root);
  if (!verdict.valid) {
    return !apps::report_wrong("bfs", "the search from root " + std::to_string(original) +
                                          " is wrong: " + verdict.sentence);
  }
  const double teps = seconds > 0 ? double(traversed.edges) / seconds : 0;
  std::cout << "search " << searches->size() << ": root " << original << ", "
            << apps::number("%.6f", seconds) << " s, " << traversed.reached << " vertices, "
            << traversed.edges << " edges, " << levels.all << " levels, "
            << apps::number("%.6e", teps) << " TEPS" << std::endl;
  searches->push_back({{"root", original},
                       {"time", seconds},
                       {"validation_time", verify_seconds},
                       {"vertices", traversed.reached},
                       {"nedge", traversed.edges},
                       {"levels", levels.all},
                       {"bottom_up_levels", levels.bottom_up},
                       {"TEPS", teps}});
  source.write_values("parents", FLAGS_parents, parents, true);
  if (FLAGS_levels.empty()) return true;
  const GlobalAddress<int64_t> level_of = verifier->tree_levels(root, parents);
  source.write_values("levels", FLAGS_levels, level_of, false);
  Grappa::global_free(level_of);
  return true;
}

// Prints the statistics in the order of the Graph500 reference codes, and writes the JSON file.
void report(Json run, const Json& searches) {
  apps::print_scale(run);
  apps::report_values({{"NBFS", searches.size()}}, &run);
  apps::print_construction(run);
  apps::report_statistics(searches,
                          {{"time", "time", false},
                           {"nedge", "nedge", false},
                           {"TEPS", "TEPS", true},
                           {"validate", "validation_time", false}},
                          &run);
  std::cout << searches.size() << (searches.size() == 1 ? " search" : " searches")
            << (FLAGS_verify == "none"      ? ", not validated"
                : FLAGS_verify == "sampled" ? " validated by sampling"
                                            : " validated")
            << std::endl;
  run.update({{"verify", FLAGS_verify}, {"validated", FLAGS_verify == "full"}});
  run["searches"] = searches;
  apps::write_json(FLAGS_json, run);
}

bool benchmark() {
  const VerifyLevel verify = check_flags();
  apps::GraphSource source(&bytes_needed);
  if (source.nv() > 0) check_root(source.nv());
  Json run, searches = Json::array();
  std::unique_ptr<Search> search;
  const auto finish = [&run, &search](GlobalAddress<SearchGraph> graph) {
    graph->order_by_degree();
    search = make_search(graph, &run);
  };
  const auto g = source.build<SearchGraph>(finish);
  check_root(g->nv);
  source.report(g, &run);
  bool valid = true;
  {
    apps::print_graph(run);
    const GlobalAddress<VertexID> parents = Grappa::global_alloc<VertexID>(g->nv);
    Verifier verifier(source.edges(), verify);
    for (const VertexID root : roots_of(g, source)) {
      valid = valid && add_search(source, search.get(), root, parents, &verifier, &searches);
    }
    Grappa::global_free(parents);
  }
  search.reset();
  if (valid) report(run, searches);
  g->destroy();
  return valid;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
