/// The Graph500 search benchmark ("Kernel 2") on a generated graph or a file: builds the graph,
/// searches it from a number of roots, validates every search, and prints the statistics.
///
/// Exit status: 0 if every search is valid, 1 if a search is invalid, 2 for invalid input.

#include <Grappa.hpp>

#include "apps/bfs/bfs_report.hpp"
#include "apps/bfs/bfs_roots.hpp"
#include "apps/bfs/bfs_verify.hpp"
#include "apps/bfs/search_choice.hpp"
#include "apps/bfs/traversed.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/vertex_file.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/input_error.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

DEFINE_int64(nbfs, 64, "number of searches, each from a different root; default 1 with --root");
DEFINE_int64(root, -1, "vertex to search from, instead of random vertices that have a neighbour");
DEFINE_string(verify, "full", "validation of each search: none, sampled or full");
DEFINE_string(parents, "", "output file for the parents; requires a single search");
DEFINE_string(levels, "", "output file for the levels; requires a single search");
DEFINE_string(json, "", "output file for the results as JSON");
DECLARE_int64(seed);

namespace {

using apps::GraphSource;
using Grappa::GlobalAddress;
using Grappa::VertexID;

void check_root(int64_t nv) {
  if (apps::is_given("root")) apps::check_range("root", FLAGS_root, 0, nv - 1);
}

// Checks everything that can be checked before the work begins.
void check_flags() {
  apps::check_graph_flags();
  bfs::check_search_flags();
  apps::check_range("nbfs", FLAGS_nbfs, 1, int64_t(1) << 20);
  check_root(apps::vertices_at_most());
  if (FLAGS_verify != "none" && FLAGS_verify != "sampled" && FLAGS_verify != "full") {
    Grappa::input_error("--verify=" + Grappa::detail::printable(FLAGS_verify) +
                        " is unknown; give none, sampled or full");
  }
  const bool one_search = FLAGS_nbfs == 1 || (apps::is_given("root") && !apps::is_given("nbfs"));
  for (const char* flag : {"parents", "levels"}) {
    const std::string path = flag[0] == 'p' ? FLAGS_parents : FLAGS_levels;
    if (!path.empty() && !one_search) {
      Grappa::input_error("--" + std::string(flag) + " needs one search: give --root or --nbfs=1");
    }
    if (!path.empty()) apps::check_writable(flag, path);
  }
  if (!FLAGS_json.empty()) apps::check_writable("json", FLAGS_json);
}

bfs::VerifyLevel verify_level() {
  if (FLAGS_verify == "none") return bfs::VerifyLevel::None;
  return FLAGS_verify == "sampled" ? bfs::VerifyLevel::Sampled : bfs::VerifyLevel::Full;
}

double bytes_needed(int64_t nv, int64_t nedge) {
  constexpr size_t kVertexBytes = sizeof(bfs::SearchGraph::Vertex);
  return std::max(Grappa::detail::graph_bytes_to_build(nv, nedge, kVertexBytes),
                  Grappa::detail::graph_bytes_at_rest(nv, nedge, kVertexBytes) +
                      bfs::search_bytes_needed(nv) + bfs::verify_bytes_needed(nv));
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

void write_files(const GraphSource& source, VertexID root, GlobalAddress<VertexID> parents) {
  const int64_t nv = source.tuples().nv;
  if (!FLAGS_parents.empty()) {
    apps::write_pairs("parents", FLAGS_parents, nv, parents, source.original_ids(), true);
  }
  if (!FLAGS_levels.empty()) {
    const GlobalAddress<int64_t> levels = bfs::tree_levels(source.tuples(), root, parents);
    apps::write_pairs("levels", FLAGS_levels, nv, levels, source.original_ids(), false);
    Grappa::global_free(levels);
  }
}

/// Searches and validates one graph repeatedly.
class Runs {
 public:
  Runs(GlobalAddress<bfs::SearchGraph> g, const GraphSource& source)
      : source_(source),
        search_(bfs::make_search(g)),
        parents_(Grappa::global_alloc<VertexID>(g->nv)) {
    if (verify_level() != bfs::VerifyLevel::Full) {
      first_ends_ = bfs::count_first_ends(source.tuples());
    }
  }
  ~Runs() {
    Grappa::global_free(parents_);
    if (first_ends_) Grappa::global_free(first_ends_);
  }

  // Returns false, with a message on stderr, if the search is wrong.
  bool run(VertexID root, bfs::SearchResult* result) {
    const double start = Grappa::walltime();
    search_->run(root);
    const double end = Grappa::walltime();
    search_->copy_parents(parents_);
    const double copied = Grappa::walltime();
    const bfs::Verdict verdict =
        bfs::verify_at(verify_level(), source_.tuples(), root, parents_, first_ends_);
    *result = bfs::SearchResult{source_.original(root), end - start, Grappa::walltime() - copied,
                                verdict.reached, verdict.traversed_edges};
    if (!verdict.valid) {
      std::cerr << "bfs: the search from root " << result->root
                << " is wrong: " + verdict.sentence + "\n"
                << std::flush;
    }
    return verdict.valid;
  }

  GlobalAddress<VertexID> parents() const { return parents_; }

 private:
  const GraphSource& source_;
  const std::unique_ptr<bfs::Search> search_;
  const GlobalAddress<VertexID> parents_;
  GlobalAddress<int64_t> first_ends_;  // null if every edge is verified
};

// Returns false if a search is wrong; the remaining searches are then not run.
bool search_all(GlobalAddress<bfs::SearchGraph> g, const GraphSource& source, bfs::RunResult* all) {
  Runs runs(g, source);
  for (const VertexID root : roots_of(g, source)) {
    bfs::SearchResult result;
    if (!runs.run(root, &result)) return false;
    bfs::print_search(int64_t(all->searches.size()), result, std::cout);
    all->searches.push_back(result);
    write_files(source, root, runs.parents());
  }
  return true;
}

bool benchmark() {
  check_flags();
  GraphSource source(&bytes_needed);
  if (source.tuples().nv > 0) check_root(source.tuples().nv);
  const GlobalAddress<bfs::SearchGraph> g =
      source.build<bfs::SearchGraph, apps::ListOrder::kByDegree>();
  check_root(g->nv);

  bfs::RunResult run = {};
  run.graph = source.report(g);
  run.algorithm = bfs::search_description();
  run.verify = FLAGS_verify;
  apps::print_graph(run.graph, run.algorithm, std::cout);

  const bool right = search_all(g, source, &run);
  if (right) {
    bfs::print_statistics(run, std::cout);
    if (!FLAGS_json.empty()) apps::write_file("json", FLAGS_json, bfs::to_json(run));
  }
  g->destroy();
  return right;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
