/// Shortest paths in a generated graph or a file, with the weights of the file or random weights:
/// one search, or the Graph500 benchmark of shortest paths ("Kernel 3").

#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/roots.hpp"
#include "apps/sssp/sssp_verify.hpp"
#include "structures/text/quoted.hpp"

#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

DEFINE_int64(root, 0, "start vertex of all paths");
DEFINE_int64(nroots, 0,
             "number of searches from random vertices that have a neighbour; 0: one, from --root");
DEFINE_int64(delta, 0, "width of a bucket of distances; 0: chosen from the graph");
DEFINE_bool(random_weights, false, "random weights even if the file has weights");
DEFINE_int64(largest_weight, 255, "random weights are from 1 to this");
DEFINE_int64(weight_seed, 1, "random seed of the weights");
DEFINE_bool(graph500, false,
            "the Graph500 benchmark: 64 roots, random weights below 1 in units of 2^-16, also "
            "parents");
DEFINE_string(distances, "", "output file for the distances from --root");
DEFINE_bool(verify, true, "check all results");
DECLARE_bool(relabel);
DECLARE_string(graph);
DECLARE_int64(seed);

namespace {

using apps::Json;
using Grappa::GlobalAddress;
using Grappa::VertexID;
using namespace sssp;

constexpr double kWeightUnit = 1.0 / 65536;  // in the Graph500 benchmark

void check_delta(const Weights& weights) {
  if (!apps::is_given("delta")) return;
  apps::check_range("delta", FLAGS_delta, smallest_delta(weights), int64_t(1) << 32);
}

// Returns random weights.
Weights check_flags() {
  apps::check_graph_flags();
  if (FLAGS_graph500) {
    FLAGS_random_weights = true;
    apps::reject({"root", "largest_weight"}, " is fixed by --graph500");
    if (!apps::is_given("nroots")) FLAGS_nroots = 64;
    FLAGS_largest_weight = 65535;
  }
  apps::check_range("largest_weight", FLAGS_largest_weight, 1, kMostWeight);
  const Weights weights = Weights::random(uint64_t(FLAGS_weight_seed), FLAGS_largest_weight);
  const bool known = FLAGS_graph.empty() || FLAGS_random_weights;
  if (known) check_delta(weights);
  apps::check_range("nroots", FLAGS_nroots, 0, int64_t(1) << 20);
  if (apps::is_given("nroots") && FLAGS_nroots > 0) {
    apps::reject({"root"}, " names one vertex: omit it or --nroots");
  }
  if (FLAGS_relabel)
    Grappa::input_error(
        "--relabel is not supported, because random weights depend on the ids: omit it");
  if (FLAGS_nroots > 0)
    apps::reject({"distances"}, " needs one search from --root: omit --nroots and --graph500");
  apps::check_values_file("distances", FLAGS_distances);
  apps::check_range("root", FLAGS_root, 0, apps::vertices_at_most() - 1);
  return weights;
}

// Returns the weights of the file, or `random` if it has none.
Weights weights_of(const Grappa::TupleGraph& edges, const Weights& random) {
  if (!edges.attributes) return random;
  const std::string name = "--graph=" + Grappa::detail::printable(FLAGS_graph);
  for (const std::string flag : {"largest_weight", "weight_seed", "save"}) {
    if (!apps::is_given(flag.c_str())) continue;
    Grappa::input_error(name + " has weights, " +
                        (flag == "save" ? "which --save would lose" : "so they are not random") +
                        ": omit --" + flag + ", or give --random_weights");
  }
  return Weights::from(edges, name);
}

double bytes_needed(int64_t nv, int64_t nedge) {
  // The kernel has entries of 8 bytes, buckets and parents, and on each locale, a distance for each
  // slot.
  const double kernel =
      16.0 * double(nedge) + 16.0 * double(nv) + 4.0 * Grappa::locales() * apps::slots_at_most(nv);
  return std::max(apps::graph_bytes_needed<PathGraph>(nv, nedge),
                  Grappa::detail::graph_bytes_at_rest(nv, nedge, sizeof(PathGraph::Vertex)) +
                      kernel + verify_bytes_needed(nv));
}

std::vector<VertexID> roots_of(GlobalAddress<PathGraph> g) {
  if (FLAGS_nroots == 0) return {FLAGS_root};
  const auto roots = apps::choose_roots(g->lists(), FLAGS_nroots, uint64_t(FLAGS_seed));
  if (roots.empty()) {
    Grappa::input_error("no vertex of the graph has a neighbour; name a vertex with --root");
  }
  return roots;
}

struct Arrays {
  GlobalAddress<int64_t> distances;
  GlobalAddress<VertexID> parents;  // null if parents are not found
};

int64_t count_reached(GlobalAddress<int64_t> distances, int64_t nv) {
  static Grappa::Reducer<int64_t, Grappa::ReducerType::Add> reached;
  reached.reset();
  Grappa::forall(distances, nv, [](int64_t& distance) { reached += distance >= 0; });
  return reached;
}

// Adds a search to `searches`. If the search is wrong, prints a message and returns false.
bool add_search(VertexID root, Paths* paths, PathVerifier* verifier, const Arrays& arrays,
                Json* searches) {
  const double seconds = apps::seconds_of([&] {
    paths->find(root);
    if (arrays.parents) paths->find_parents();
  });
  paths->copy_distances(arrays.distances);
  if (arrays.parents) paths->copy_parents(arrays.parents);
  Json search = {{"root", root}, {"time", seconds}};
  if (FLAGS_verify) {
    apps::Verdict verdict;
    search["validation_time"] = apps::seconds_of(
        [&] { verdict = verifier->verify(root, arrays.distances, arrays.parents); });
    if (!verdict.valid) {
      return !apps::report_wrong("sssp", "the search from root " + std::to_string(root) +
                                             " is wrong: " + verdict.sentence);
    }
    const double edges = double(verifier->traversed().edges);
    search["nedge"] = verifier->traversed().edges;
    search["TEPS"] = seconds > 0 ? edges / seconds : 0;
  }
  searches->push_back(search);
  return true;
}

// Prints the statistics in the order and with the names of the Graph500 reference codes.
void report_graph500(Json run, const Json& searches) {
  apps::print_scale(run);
  apps::report_values({{"NBFS", searches.size()}}, &run);
  apps::print_construction(run);
  apps::report_statistics(searches, {{"time", "time", false}}, &run);
  if (!FLAGS_verify) return;
  apps::report_statistics(
      searches,
      {{"nedge", "nedge", false}, {"TEPS", "TEPS", true}, {"validate", "validation_time", false}},
      &run);
}

bool find_paths() {
  const Weights random = check_flags();
  apps::GraphSource source(
      &bytes_needed, FLAGS_random_weights ? Grappa::Attributes::Ignore : Grappa::Attributes::Keep);
  const Weights weights = weights_of(source.tuples(), random);
  check_delta(weights);
  const auto g = source.build<PathGraph>();
  apps::check_range("root", FLAGS_root, 0, g->nv - 1);
  const int64_t delta = FLAGS_delta > 0 ? FLAGS_delta : good_delta(g, weights);
  Json run, searches = Json::array();
  source.report(g, &run);
  std::cout << "graph: " << source.description() << "\nvertices: " << g->nv
            << "\nedges: " << g->nadj / 2
            << "\nweights: " << (weights.are_random() ? "random" : "of the file") << ", 1 to "
            << weights.largest << "\ndelta: " << delta << std::endl;
  bool right = true;
  {
    const std::unique_ptr<Paths> paths = delta_stepping(g, weights, delta);
    PathVerifier verifier(source.tuples(), weights);
    Arrays arrays = {Grappa::global_alloc<int64_t>(g->nv), GlobalAddress<VertexID>()};
    if (FLAGS_graph500) arrays.parents = Grappa::global_alloc<VertexID>(g->nv);
    for (const VertexID root : roots_of(g)) {
      right = right && add_search(root, paths.get(), &verifier, arrays, &searches);
    }
    if (FLAGS_nroots == 0) {
      std::cout << "reached: " << count_reached(arrays.distances, g->nv) << std::endl;
    }
    if (right) source.write_values("distances", FLAGS_distances, arrays.distances, false);
    Grappa::global_free(arrays.distances);
    if (arrays.parents) Grappa::global_free(arrays.parents);
  }
  if (right && FLAGS_graph500) report_graph500(run, searches);
  if (right && !FLAGS_graph500) apps::report_statistics(searches, {{"time", "time", false}}, &run);
  if (FLAGS_verify) std::cout << "wrong: " << (right ? 0 : 1) << std::endl;
  g->destroy();
  return right;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &find_paths); }
