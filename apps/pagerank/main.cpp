/// PageRank of a generated graph or a file.

#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/pagerank/pagerank.hpp"

#include <iostream>

DEFINE_double(damping, 0.85, "probability that the surfer moves to a neighbour");
DEFINE_double(tolerance, 1e-6, "largest sum of the changes of all ranks in the last iteration");
DEFINE_int64(iterations, 200, "largest number of iterations");
DEFINE_bool(verify, true, "check the ranks by a different iteration");

namespace {

using pagerank::RankGraph;

struct Top {
  double rank;
  Grappa::VertexID vertex;
} top;  // the top vertex of this core

Top higher(const Top& a, const Top& b) { return b.rank > a.rank ? b : a; }

bool rank_graph() {
  apps::check_graph_flags();
  apps::check_range("damping", FLAGS_damping, 0.0, 1.0);
  apps::check_range("tolerance", FLAGS_tolerance, 0.0, 2.0);
  apps::check_range("iterations", FLAGS_iterations, 1, int64_t(1) << 40);
  apps::GraphSource source(&apps::graph_bytes_needed<RankGraph>);
  const Grappa::GlobalAddress<RankGraph> g = source.build<RankGraph>();
  const double start = Grappa::walltime();
  const int64_t iterations =
      pagerank::find_ranks(g, FLAGS_damping, FLAGS_tolerance, FLAGS_iterations);
  const double seconds = Grappa::walltime() - start;
  Grappa::forall(g, [](Grappa::VertexID id, RankGraph::Vertex& v) {
    top = higher(top, Top{v->rank, id});
  });
  const Top first = Grappa::reduce<Top, higher>(&top);
  std::cout << "graph: " << source.description() << "\nvertices: " << g->nv
            << "\nedges: " << g->nadj / 2 << "\niterations: " << iterations
            << "\nseconds: " << seconds << "\nhighest rank: " << first.rank << ", of vertex "
            << source.original(first.vertex) << std::endl;
  const double error = FLAGS_verify ? pagerank::error_of(g, FLAGS_damping) : 0;
  if (FLAGS_verify) std::cout << "error: " << error << std::endl;
  const bool right = error <= FLAGS_tolerance + 1e-9;
  if (!right) std::cerr << "pagerank: the ranks are wrong by " << error << std::endl;
  g->destroy();
  return right;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &rank_graph); }
