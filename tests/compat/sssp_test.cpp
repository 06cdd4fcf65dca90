/// A demo program of the original Grappa that computes single-source shortest paths and verifies
/// them. In this program, loops must skip vertices without edges, and must not change the data of
/// these vertices.

#include <GlobalVector.hpp>
#include <Grappa.hpp>
#include <Reducer.hpp>
#include <graph/Graph.hpp>

#include <sstream>

DEFINE_int32(scale, 8, "log2 of the number of vertices");
DEFINE_int32(edgefactor, 4, "average number of edges of a vertex");

using namespace Grappa;

struct SSSPData {
  double dist;
  int64_t parent;
  bool seen;
  void init() {
    dist = std::numeric_limits<double>::max();
    parent = -1;
    seen = false;
  }
};
struct SSSPEdge {
  double weight;
};
using G = Graph<SSSPData, SSSPEdge>;

using MaxDegree = CmpElement<VertexID, int64_t>;
Reducer<MaxDegree, ReducerType::Max> max_degree;

GRAPPA_DEFINE_METRIC(SummarizingMetric<double>, sssp_time, 0);
GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, sssp_rounds, 0);

bool local_complete = false;  // each core has its own instance
int64_t nedge_traversed = 0;

void do_sssp(GlobalAddress<G> g, int64_t root) {
  forall(g, [](G::Vertex& v) { v->init(); });
  forall(g, [](G::Vertex& v, G::Edge& e) { e->weight = 1.0 + double((e.id * 7 + v.nadj) % 5); });
  delegate::call(g->vs + root, [=](G::Vertex& v) {
    v->dist = 0.0;
    v->parent = root;
  });
  bool complete = false;
  while (!complete) {
    sssp_rounds++;
    on_all_cores([] { local_complete = true; });
    forall(g, [=](VertexID vsid, G::Vertex& vs) {
      if (vs->dist == std::numeric_limits<double>::max()) return;
      double dist = vs->dist;
      forall<async>(adj(g, vs), [=](G::Edge& e) {
        double sum = dist + e->weight;
        delegate::call<async>(e.ga, [=](G::Vertex& ve) {
          if (sum < ve->dist) {
            ve->dist = sum;
            ve->parent = vsid;
            local_complete = false;
          }
        });
      });
    });
    complete = reduce<bool, collective_and>(&local_complete);
  }
}

int64_t verify(TupleGraph tg, GlobalAddress<G> g, int64_t root) {
  call_on_all_cores([] { nedge_traversed = 0; });
  forall(tg.edges, tg.nedge, [=](TupleGraph::Edge& e) {
    auto i = e.v0, j = e.v1;
    if (i == j) return;
    auto read_dist = [g](int64_t k) {
      return delegate::call(g->vs + k, [](G::Vertex& v) { return v->dist; });
    };
    double di = read_dist(i), dj = read_dist(j);
    const double unreached = std::numeric_limits<double>::max();
    CHECK_EQ(di == unreached, dj == unreached) << "only one end of an edge was reached";
    if (di == unreached) return;
    nedge_traversed++;
    CHECK_LE(di, dj + 5.0);
    CHECK_LE(dj, di + 5.0);
  });
  forall(g, [=](VertexID i, G::Vertex& v) {
    CHECK_GT(v.nadj, 0u) << "the loop visited vertex " << i << ", which has no edges";
    if (v->parent < 0) return;
    if (i != root) CHECK_NE(v->parent, i);
    v->seen = true;
  });
  return reduce<int64_t, collective_add>(&nedge_traversed);
}

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    int64_t NE = (1L << FLAGS_scale) * FLAGS_edgefactor;
    auto tg = TupleGraph::Kronecker(FLAGS_scale, NE, 111, 222);
    auto g = G::create(tg);
    forall(g, [](VertexID i, G::Vertex& v) { max_degree << MaxDegree(i, v.nadj); });
    auto root = static_cast<MaxDegree>(max_degree).idx();
    double t = walltime();
    do_sssp(g, root);
    sssp_time += walltime() - t;
    int64_t nedge = verify(tg, g, root);
    CHECK_GT(nedge, 0);
    LOG(INFO) << sssp_time << "\n" << sssp_rounds;
    std::vector<int64_t> untouched;
    for (VertexID i = 0; i < g->nv; ++i) {
      auto at = g->vs + i;
      if (delegate::call(at, [](G::Vertex& v) { return v.nadj == 0 && v->parent == 0; })) {
        untouched.push_back(i);
      }
    }
    CHECK(!untouched.empty()) << "the test needs a graph with a vertex without edges";
    std::cout << "verified" << std::endl;
    Metrics::merge_and_print();
    tg.destroy();
    g->destroy();
  });
  Grappa::finalize();
}
