#include "bench/raw_job.hpp"

#include "apps/common/flags.hpp"
#include "apps/common/generated_graph.hpp"
#include "apps/common/root_order.hpp"
#include "apps/common/statistics.hpp"
#include "bench/raw_files.hpp"
#include "structures/graph/make/generators.hpp"
#include "system/base/input_error.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <unistd.h>

DEFINE_int64(threads, 2, "number of OpenMP threads");
DEFINE_int64(builds, 3, "number of times to build the graph; the median is reported");
DEFINE_string(graph, "", "edge list (.el) to read, instead of generating the edges");
DEFINE_string(order, "number", "order of the neighbours in a list: number or degree");

namespace raw {
namespace {

// OpenMP reads the environment before main, so the process must execute itself again.
void bind_threads(char* argv[]) {
  if (std::getenv("OMP_PROC_BIND") != nullptr) return;
  ::setenv("OMP_PROC_BIND", "true", 1);
  ::execv("/proc/self/exe", argv);  // if this call fails, threads are not bound
}

constexpr int64_t kLargestScale = 30;
static_assert(Csr::kMaxVertices == int64_t(1) << kLargestScale, "");

template <class Generator>
Edges fill(const Generator& generator, int64_t nv, int64_t n) {
  Edges edges = {nv, Array<Grappa::TupleEdge>(n)};
#pragma omp parallel for schedule(static) num_threads(int(FLAGS_threads))
  for (int64_t i = 0; i < n; ++i) edges.all[i] = generator.edge(i);
  return edges;
}

// Has the generators of Grappa::TupleGraph, as static functions with the same parameters.
struct EdgeMaker {
  static Edges Kronecker(int scale, int64_t nedge, uint64_t seed1, uint64_t seed2) {
    const Grappa::detail::KroneckerGenerator generator(scale, seed1, seed2);
    return fill(generator, int64_t(1) << scale, nedge);
  }

  static Edges Uniform(int64_t nv, int64_t nedge, uint64_t seed) {
    return fill(Grappa::detail::UniformGenerator(nv, seed), nv, nedge);
  }

  static Edges Grid(int64_t rows, int64_t columns) {
    const Grappa::detail::GridGenerator generator(rows, columns);
    return fill(generator, generator.nv(), generator.nedge());
  }

  static Edges Road(int64_t rows, int64_t columns, double kept_share, uint64_t seed) {
    const Grappa::detail::RoadGenerator generator(rows, columns, kept_share, seed);
    return fill(generator, generator.nv(), generator.nedge());
  }

  static Edges Web(int64_t nv, int64_t links_per_page, uint64_t seed) {
    const Grappa::detail::WebGenerator generator(nv, links_per_page, seed);
    return fill(generator, generator.nv(), generator.nedge());
  }
};

}  // namespace

void begin_job(int argc, char* argv[]) {
  bind_threads(argv);
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  apps::check_no_surplus(argc, argv);
  apps::check_generator_flags(kLargestScale);
  apps::check_range("threads", FLAGS_threads, 1, 1024);
  apps::check_range("builds", FLAGS_builds, 1, 1000);
  if (FLAGS_order != "number" && FLAGS_order != "degree") {
    Grappa::input_error("--order=" + FLAGS_order + " is unknown; use number or degree");
  }
}

Edges input_edges() {
  return FLAGS_graph.empty() ? apps::generate_graph<EdgeMaker>()
                             : read_edge_list(FLAGS_graph, int(FLAGS_threads));
}

std::unique_ptr<Csr> build_graph(const Edges& edges) {
  std::unique_ptr<Csr> graph;
  std::vector<double> seconds;
  for (int64_t k = 0; k < FLAGS_builds; ++k) {
    graph.reset();
    seconds.push_back(seconds_of([&] {
      graph.reset(new Csr(edges.nv, edges.all.data(), edges.all.size(), int(FLAGS_threads)));
    }));
  }
  const double median = apps::summarize(seconds).median;
  report("construction_time", median);
  report("construction_edges_per_second", double(edges.all.size()) / median);
  report("csr_bytes", double(graph->bytes()));
  if (FLAGS_order == "degree") graph->order_by_degree(int(FLAGS_threads));
  return graph;
}

std::vector<Grappa::VertexID> choose_roots(const Csr& graph, int64_t count) {
  apps::Candidates candidates;
  for (int64_t v = 0; v < graph.nv(); ++v) {
    if (graph.degree(Vertex(v)) == 0) continue;
    apps::consider(v, uint64_t(FLAGS_seed), count, &candidates);
  }
  std::vector<Grappa::VertexID> roots;
  for (const auto& candidate : candidates) roots.push_back(candidate.second);
  return roots;
}

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(const std::string& name, double number) {
  std::printf("%s: %.9g\n", name.c_str(), number);
}

}  // namespace raw
