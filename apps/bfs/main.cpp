/// The Graph500 search benchmark ("Kernel 2") on a generated Kronecker graph or a graph file:
/// builds the graph, searches it from a number of roots, validates every search, and prints the
/// statistics.
///
/// Exit status: 0 if every search is valid, 1 if one is not, 2 for bad input.

#include <Grappa.hpp>

#include "apps/bfs/bfs_kernel.hpp"
#include "apps/bfs/bfs_report.hpp"
#include "apps/bfs/bfs_roots.hpp"
#include "apps/bfs/bfs_verify.hpp"
#include "apps/common/flags.hpp"
#include "structures/graph/edge_text.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/base/input_error.hpp"

#include <iostream>
#include <string>
#include <vector>

DEFINE_int64(scale, 16, "logarithm to base 2 of the number of vertices of a generated graph");
DEFINE_int64(edgefactor, 16, "edges of a generated graph for each of its vertices");
DEFINE_int64(nbfs, 64, "searches, each from another root; with --root, 1 if not given");
DEFINE_int64(seed, 1, "seed of the generated graph and of the choice of roots");
DEFINE_string(graph, "", "file to read instead of generating: .el .wel .tsv .txt or .mtx .mm");
DEFINE_string(graph_format, "", "el, tsv or mm, for a file whose suffix does not tell");
DEFINE_int64(root, -1, "vertex to search from, instead of random ones that have a neighbour");
DEFINE_string(json, "", "file to write the results to as well");

namespace {

using Grappa::GlobalAddress;
using Grappa::TupleGraph;
using Grappa::VertexID;

// The Graph500 reference codes take a second seed as well, and none of their users changes it.
constexpr uint64_t kSecondSeed = 0xdecafbad;

// Of this core, so that all leave main alike.
int exit_status = 0;

void check_root(int64_t nv) {
  if (apps::is_given("root")) apps::check_range("root", FLAGS_root, 0, nv - 1);
}

// All that can be known to be wrong before any work.
void check_flags() {
  apps::check_range("scale", FLAGS_scale, 1, 40);
  apps::check_range("edgefactor", FLAGS_edgefactor, 1, int64_t(1) << 20);
  apps::check_range("nbfs", FLAGS_nbfs, 1, int64_t(1) << 20);
  if (FLAGS_graph.empty()) check_root(int64_t(1) << FLAGS_scale);
  if (!FLAGS_json.empty()) apps::check_writable("json", FLAGS_json);
}

// Ends the job if `bytes` more of the global heap cannot be had, before they are touched.
void check_memory(const std::string& what, double bytes) {
  const double available = double(Grappa::heap_bytes_free());
  if (bytes <= available) return;
  Grappa::input_error(what + " needs " + Grappa::human_bytes(bytes) + "; " +
                      Grappa::human_bytes(available) + " are available");
}

double search_bytes_needed(int64_t nv, int64_t nedge) {
  return Grappa::graph_bytes_needed(nv, nedge, sizeof(bfs::SearchGraph::Vertex)) +
         bfs::verify_bytes_needed(nv);
}

TupleGraph generate() {
  const int64_t nv = int64_t(1) << FLAGS_scale;
  const int64_t nedge = FLAGS_edgefactor << FLAGS_scale;
  check_memory("a graph of --scale=" + std::to_string(FLAGS_scale) +
                   " --edgefactor=" + std::to_string(FLAGS_edgefactor),
               Grappa::tuple_bytes_needed(nedge) + search_bytes_needed(nv, nedge));
  return TupleGraph::Kronecker(int(FLAGS_scale), nedge, uint64_t(FLAGS_seed), kSecondSeed);
}

TupleGraph load() {
  const TupleGraph tuples = TupleGraph::Load(FLAGS_graph, FLAGS_graph_format);
  check_root(tuples.nv);
  check_memory("--graph=" + Grappa::printable(FLAGS_graph),
               search_bytes_needed(tuples.nv, tuples.nedge));
  return tuples;
}

std::vector<VertexID> roots_of(GlobalAddress<bfs::SearchGraph> g) {
  if (apps::is_given("root")) {
    return std::vector<VertexID>(size_t(apps::is_given("nbfs") ? FLAGS_nbfs : 1), FLAGS_root);
  }
  const std::vector<VertexID> roots = bfs::choose_roots(g, FLAGS_nbfs, uint64_t(FLAGS_seed));
  if (roots.empty()) {
    Grappa::input_error("no vertex of the graph has a neighbour; name a vertex with --root");
  }
  return roots;
}

// Searches and validates. False, with a line on stderr, if the search is wrong.
bool search_once(GlobalAddress<bfs::SearchGraph> g, const TupleGraph& tuples,
                 GlobalAddress<VertexID> parents, bfs::SearchResult* result) {
  const double start = Grappa::walltime();
  bfs::search(g, result->root);
  result->seconds = Grappa::walltime() - start;
  bfs::copy_parents(g, parents);
  const bfs::Verdict verdict = bfs::verify(tuples, result->root, parents);
  result->reached = verdict.reached;
  result->traversed_edges = verdict.traversed_edges;
  if (!verdict.valid) {
    std::cerr << "bfs: the search from root " << result->root
              << " is wrong: " + verdict.sentence + "\n"
              << std::flush;
  }
  return verdict.valid;
}

// False if a search is wrong; the rest is not run then.
bool search_all(GlobalAddress<bfs::SearchGraph> g, const TupleGraph& tuples, bfs::RunResult* run) {
  const GlobalAddress<VertexID> parents = Grappa::global_alloc<VertexID>(size_t(tuples.nv));
  bool valid = true;
  for (const VertexID root : roots_of(g)) {
    bfs::SearchResult result = {root, 0, 0, 0};
    valid = search_once(g, tuples, parents, &result);
    if (!valid) break;
    bfs::print_search(int64_t(run->searches.size()), result, std::cout);
    run->searches.push_back(result);
  }
  Grappa::global_free(parents);
  return valid;
}

void benchmark() {
  check_flags();
  bfs::RunResult run = {};
  run.graph_file = FLAGS_graph;
  run.scale = FLAGS_scale;
  run.edgefactor = FLAGS_edgefactor;
  run.seed = uint64_t(FLAGS_seed);
  run.cores = Grappa::cores();

  double start = Grappa::walltime();
  TupleGraph tuples = FLAGS_graph.empty() ? generate() : load();
  run.generation_seconds = Grappa::walltime() - start;
  run.vertices = tuples.nv;
  run.edges = tuples.nedge;

  start = Grappa::walltime();
  const GlobalAddress<bfs::SearchGraph> g = bfs::SearchGraph::create(tuples);
  run.construction_seconds = Grappa::walltime() - start;
  bfs::print_graph(run, std::cout);

  const bool valid = search_all(g, tuples, &run);
  if (valid) {
    bfs::print_statistics(run, std::cout);
    if (!FLAGS_json.empty()) apps::write_file("json", FLAGS_json, bfs::to_json(run));
  } else {
    Grappa::on_all_cores([] { exit_status = 1; });
  }
  g->destroy();
  tuples.destroy();
}

}  // namespace

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([argc, argv] {
    apps::check_no_surplus(argc, argv);
    benchmark();
  });
  const int status = Grappa::finalize();
  return exit_status != 0 ? exit_status : status;
}
