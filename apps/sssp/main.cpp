/// Shortest paths from one vertex of a generated graph or a file, with random weights.

#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/sssp/sssp.hpp"
#include "structures/graph/edge_weight.hpp"

#include <iostream>

DEFINE_int64(root, 0, "start vertex of all paths");
DEFINE_int64(delta, 16, "width of a bucket of distances");
DEFINE_int64(weight_seed, 1, "random seed of the weights");
DEFINE_bool(verify, true, "check all distances");
DECLARE_bool(relabel);

namespace {

using sssp::WeightedGraph;

Grappa::Reducer<int64_t, Grappa::ReducerType::Add> reached;

bool find_paths() {
  apps::check_graph_flags();
  apps::check_range("delta", FLAGS_delta, 1, int64_t(1) << 40);
  if (FLAGS_relabel) Grappa::input_error("--relabel would change the weights: omit it");
  apps::check_range("root", FLAGS_root, 0, apps::vertices_at_most() - 1);
  apps::GraphSource source(&apps::graph_bytes_needed<WeightedGraph>);
  const auto g = source.build<WeightedGraph>();
  apps::check_range("root", FLAGS_root, 0, g->nv - 1);
  Grappa::forall(g, [g](WeightedGraph::Vertex& v, WeightedGraph::Edge& e) {
    e.data = uint8_t(Grappa::edge_weight(g->id(v), e.id, uint64_t(FLAGS_weight_seed), 255));
  });
  const double seconds =
      apps::seconds_of([g] { sssp::find_distances(g, FLAGS_root, FLAGS_delta); });
  Grappa::forall(g, [](WeightedGraph::Vertex& v) { reached += v->distance != sssp::kUnreached; });
  std::cout << "graph: " << source.description() << "\nvertices: " << g->nv
            << "\nedges: " << g->nadj / 2 << "\nreached: " << reached << "\nseconds: " << seconds
            << std::endl;
  const int64_t wrong = FLAGS_verify ? sssp::count_wrong(g, FLAGS_root) : 0;
  if (FLAGS_verify) std::cout << "wrong: " << wrong << std::endl;
  if (wrong > 0) std::cerr << "sssp: " << wrong << " distances are wrong" << std::endl;
  g->destroy();
  return wrong == 0;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &find_paths); }
