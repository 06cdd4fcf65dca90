/// Betweenness centrality of the vertices of a generated graph or a file.

#include "apps/betweenness/betweenness.hpp"
#include "apps/betweenness/betweenness_verify.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/roots.hpp"
#include "apps/common/statistics.hpp"
#include "apps/common/verifier_memory.hpp"

#include <iostream>
#include <vector>

DEFINE_int64(sources, 4, "number of random sources; fewer if fewer vertices have a neighbour");
DEFINE_int64(trials, 1, "number of times to find the scores; the median time is reported");
DEFINE_bool(verify, true, "find the scores serially, too, on one core");
DECLARE_int64(seed);

namespace {

using betweenness::ScoreGraph;

struct Top {
  double score;
  Grappa::VertexID vertex;
} top;  // the top vertex of this core

Top higher(const Top& a, const Top& b) { return b.score > a.score ? b : a; }

// Beside the graph: five arrays for the vertices, and on each locale, two numbers for each slot.
double bytes_needed(int64_t nv, int64_t nedge) {
  const double finding = 36.0 * double(nv) + 16.0 * Grappa::locales() * apps::slots_at_most(nv);
  return apps::graph_bytes_needed<ScoreGraph>(nv, nedge) + finding;
}

bool find_scores() {
  apps::check_graph_flags();
  apps::check_range("sources", FLAGS_sources, 1, int64_t(1) << 40);
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  apps::GraphSource source(&bytes_needed);
  const Grappa::GlobalAddress<ScoreGraph> g = source.build<ScoreGraph>();
  if (FLAGS_verify) apps::check_verifier_memory(source.edges(), betweenness::kVerifierBytes);
  const std::vector<Grappa::VertexID> sources =
      apps::choose_roots(g->lists(), FLAGS_sources, uint64_t(FLAGS_seed));
  std::vector<double> seconds;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    const double start = Grappa::walltime();
    betweenness::find_scores(g, sources);
    seconds.push_back(Grappa::walltime() - start);
  }
  Grappa::forall(g, [](Grappa::VertexID id, ScoreGraph::Vertex& v) {
    top = higher(top, Top{v->score, id});
  });
  const Top first = Grappa::reduce<Top, higher>(&top);
  std::cout << "graph: " << source.description() << "\nvertices: " << g->nv
            << "\nedges: " << g->nadj / 2 << "\nsources: " << sources.size()
            << "\nseconds: " << apps::summarize(seconds).median
            << "\nhighest score: " << first.score << ", of vertex " << source.original(first.vertex)
            << std::endl;
  const double error = FLAGS_verify ? betweenness::error_of(g, source.tuples(), sources) : 0;
  if (FLAGS_verify) std::cout << "error: " << error << std::endl;
  const bool right = error <= betweenness::kLargestError;
  if (!right) std::cerr << "betweenness: the scores are wrong by " << error << std::endl;
  g->destroy();
  return right;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &find_scores); }
