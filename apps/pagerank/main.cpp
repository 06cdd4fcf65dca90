/// PageRank of a generated graph or a file.

#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/statistics.hpp"
#include "apps/pagerank/pagerank.hpp"

#include <iostream>
#include <vector>

DEFINE_double(damping, 0.85, "probability that the surfer moves to a neighbour");
DEFINE_double(tolerance, 1e-6, "largest sum of the changes of all ranks in the last iteration");
DEFINE_int64(iterations, 200, "largest number of iterations");
DEFINE_int64(trials, 1, "number of times to find the ranks; the median time is reported");
DEFINE_string(
    method, "jacobi",
    "jacobi, or gauss_seidel: vertices of a core read each other's latest shares, and those of "
    "other cores eight times in an iteration; the ranks depend on the number of cores, within the "
    "tolerance");
DEFINE_bool(verify, true, "check the ranks by a different iteration");

namespace {

using pagerank::RankGraph;

struct Top {
  double rank;
  Grappa::VertexID vertex;
} top;  // the top vertex of this core

Top higher(const Top& a, const Top& b) { return b.rank > a.rank ? b : a; }

// Beside the graph: the ranks, and shares. Jacobi has two for each vertex on each locale;
// Gauss-Seidel has one, and a copy of all on each core.
double bytes_needed(int64_t nv, int64_t nedge) {
  const double shares = FLAGS_method == "gauss_seidel" ? Grappa::locales() + Grappa::cores()
                                                       : 2.0 * Grappa::locales();
  const double arrays = 1 + shares;
  return apps::graph_bytes_needed<RankGraph>(nv, nedge) +
         arrays * sizeof(double) * apps::slots_at_most(nv);
}

bool rank_graph() {
  apps::check_graph_flags();
  apps::check_range("damping", FLAGS_damping, 0.0, 1.0);
  apps::check_range("tolerance", FLAGS_tolerance, 0.0, 2.0);
  apps::check_range("iterations", FLAGS_iterations, 1, int64_t(1) << 40);
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  const int method = apps::check_choice("method", FLAGS_method, {"jacobi", "gauss_seidel"});
  pagerank::Options options;
  options.damping = FLAGS_damping;
  options.tolerance = FLAGS_tolerance;
  options.max_iterations = FLAGS_iterations;
  options.method = static_cast<pagerank::Method>(method);
  apps::GraphSource source(&bytes_needed);
  const Grappa::GlobalAddress<RankGraph> g = source.build<RankGraph>();
  int64_t iterations = 0;
  std::vector<double> seconds;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    const double start = Grappa::walltime();
    iterations = pagerank::find_ranks(g, options);
    seconds.push_back(Grappa::walltime() - start);
  }
  Grappa::forall(g, [](Grappa::VertexID id, RankGraph::Vertex& v) {
    top = higher(top, Top{v->rank, id});
  });
  const Top first = Grappa::reduce<Top, higher>(&top);
  std::cout << "graph: " << source.description() << "\nvertices: " << g->nv
            << "\nedges: " << g->nadj / 2 << "\niterations: " << iterations
            << "\nseconds: " << apps::summarize(seconds).median << "\nhighest rank: " << first.rank
            << ", of vertex " << source.original(first.vertex) << std::endl;
  const double error = FLAGS_verify ? pagerank::error_of(g, FLAGS_damping) : 0;
  if (FLAGS_verify) std::cout << "error: " << error << std::endl;
  const bool right = error <= pagerank::largest_error(options);
  if (!right) std::cerr << "pagerank: the ranks are wrong by " << error << std::endl;
  g->destroy();
  return right;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &rank_graph); }
