#include "bench/raw_job.hpp"

#include "apps/common/flags.hpp"
#include "apps/common/statistics.hpp"
#include "structures/graph/make/generators.hpp"
#include "system/base/input_error.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <unistd.h>

DEFINE_int64(scale, 16, "base-2 logarithm of the number of vertices, 1 to 30");
DEFINE_int64(edgefactor, 16, "edges for each vertex");
DEFINE_int64(seed, 1, "random seed of the graph and of all random choices");
DEFINE_int64(threads, 2, "number of OpenMP threads");
DEFINE_int64(builds, 3, "number of times to build the graph; the median is reported");
DEFINE_string(order, "number", "order of the neighbours in a list: number or degree");

namespace raw {
namespace {

// The same value as in the programs of apps/.
constexpr uint64_t kSecondSeed = 0xdecafbad;

// OpenMP reads the environment before main, so the process must execute itself again.
void bind_threads(char* argv[]) {
  if (std::getenv("OMP_PROC_BIND") != nullptr) return;
  ::setenv("OMP_PROC_BIND", "true", 1);
  ::execv("/proc/self/exe", argv);  // if this call fails, threads are not bound
}

}  // namespace

void begin_job(int argc, char* argv[]) {
  bind_threads(argv);
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  apps::check_no_surplus(argc, argv);
  apps::check_range("scale", FLAGS_scale, 1, 30);
  apps::check_range("edgefactor", FLAGS_edgefactor, 1, 1024);
  apps::check_range("threads", FLAGS_threads, 1, 1024);
  apps::check_range("builds", FLAGS_builds, 1, 1000);
  if (FLAGS_order != "number" && FLAGS_order != "degree") {
    Grappa::input_error("--order=" + FLAGS_order + " is unknown; use number or degree");
  }
}

Edges generate_edges() {
  const Grappa::detail::KroneckerGenerator generator(int(FLAGS_scale), uint64_t(FLAGS_seed),
                                                     kSecondSeed);
  const int64_t n = FLAGS_edgefactor << FLAGS_scale;
  Edges edges = {int64_t(1) << FLAGS_scale, Array<Grappa::TupleEdge>(n)};
#pragma omp parallel for schedule(static) num_threads(int(FLAGS_threads))
  for (int64_t i = 0; i < n; ++i) edges.all[i] = generator.edge(i);
  return edges;
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

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(const std::string& name, double number) {
  std::printf("%s: %.9g\n", name.c_str(), number);
}

}  // namespace raw
