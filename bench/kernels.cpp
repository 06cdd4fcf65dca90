/// How fast are the kernels on graphs, compared with OpenMP on the same processors?
///
/// Each kernel runs on Kronecker graphs of three sizes, on a uniform graph, on a graph that
/// resembles a road network, on one that resembles the web, and on the dependencies between the
/// packages that apt of this machine knows, all as undirected graphs. Some figures of tc and bc are
/// omitted. The baseline is a program with OpenMP on the same number of
/// processors, with the algorithm of the GAP benchmark suite and its layout. (S. Beamer, K.
/// Asanovic, D. Patterson, "The GAP Benchmark Suite", 2015.) The baseline of bfs_same searches
/// lists in our order, and those of cc_same and tc_same have our algorithms. In pr_gs, the threads
/// of the baseline read the latest shares of each other, but our cores only those of their own
/// vertices, so the iterations differ. In sssp, weights are random numbers from 1 to 255 and lie
/// beside the neighbours on both sides.
///
/// Timed: from the built graph to the result. Searches and components do not allocate memory in
/// this time; our other kernels do, the baselines of ranks and scores do not, and the buckets of
/// shortest paths grow on both sides. The results of our searches and components are slots, which
/// are copied to arrays of ids afterwards; the baseline writes ids. Each figure is the mean time of
/// searches from 64 roots, of shortest paths from 16 roots, or the median of 16 trials, of 4 trials
/// for scores, or one trial for triangles. The baselines of tc and tc_same first renumber the
/// vertices by degree if degrees are skewed. That of tc merges lists, but ours sets and reads
/// marks, like that of tc_same. In bc, ours reads the values of neighbours in large levels, but the
/// baseline searches top down. So the ratios of tc and bc include the effect of the algorithm.
///
/// The ratio is the time of the baseline divided by the time of the kernel, so that a higher ratio
/// is better. Verified: a sample of each of our searches, all components, the ranks, triangles and
/// scores of the last trial, all distances, and all results of the baselines. Each pair is two
/// consecutive jobs.

#include "apps/common/flags.hpp"
#include "bench/debian_graph.hpp"
#include "bench/graph_jobs.hpp"
#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"
#include "bench/kernels_files.hpp"

#include <string>
#include <vector>

#include <gflags/gflags.h>

DEFINE_string(kernel, "",
              "measure only this kernel: bfs, cc, pr, pr_gs, sssp, tc, bc, build, "
              "load or whole");
DEFINE_string(graph, "", "measure only this graph: k18, k20, k22, u20, road, web or debian");

namespace {

using bench::Bench;
using bench::Side;

constexpr int kCores = 2;
constexpr char kTooLong[] = "the serial verification takes too long";

struct Graph {
  const char* id;
  const char* what;
  int scale;      // a graph of 2^scale vertices with 16 edges each needs at least as much memory
  int raw_delta;  // for the baseline of shortest paths; tuned for k18 and k20 only
  std::string flags;
};

class Kernels {
 public:
  explicit Kernels(Bench* bench)
      : bench_(bench), pairs_(bench->quick() ? 1 : 3), repeats_(bench->quick() ? "4" : "16") {
    graphs_.push_back({"k18", "Kronecker graph", 18, 4, sized(18)});
    graphs_.push_back({"k20", "Kronecker graph", 20, 2, sized(20)});
    graphs_.push_back({"k22", "Kronecker graph", 22, 2, sized(22)});
    graphs_.push_back({"u20", "uniform graph", 20, 16, "--generator=uniform " + sized(20)});
    const std::string side = bench->quick() ? "91" : "1448";
    graphs_.push_back({"road", "road-like graph", 20, 512,
                       "--generator=road --rows=" + side + " --columns=" + side});
    graphs_.push_back({"web", "web-like graph", 20, 16, "--generator=web " + sized(20)});
    graphs_.push_back({"debian", "dependencies of Debian", 16, 16, "--graph=" + debian_path()});
  }

  void measure() {
    for (const Graph& graph : graphs_) {
      if (!FLAGS_graph.empty() && graph.id != FLAGS_graph) continue;
      if (bench::lacks_memory(bench_, graph.id, graph.scale)) continue;
      const bool is_file = graph.id == std::string("debian");
      const std::string problem = is_file ? bench::write_debian_graph(debian_path()) : "";
      if (!problem.empty()) {
        bench_->omit(graph.id, problem);
        continue;
      }
      searches(graph);
      components(graph);
      ranks(graph, "pr", "jacobi");
      ranks(graph, "pr_gs", "gauss_seidel");
      paths(graph);
      triangles(graph);
      betweenness(graph);
      files(graph);
    }
  }

 private:
  std::string sized(int scale) const {
    return "--scale=" + std::to_string(bench_->quick() ? scale - 7 : scale);
  }

  std::string debian_path() const { return folder_.path() + "/debian.el"; }

  static bool wanted(const char* kernel) { return FLAGS_kernel.empty() || FLAGS_kernel == kernel; }

  Side kernel(const Graph& graph, const std::string& program, const std::string& label) const {
    return bench::job_side(kCores, program + " " + graph.flags, label, 1e-3);
  }
  Side raw(const Graph& graph, const std::string& program, const std::string& label) const {
    return bench::program_side(program + " --builds=1 " + graph.flags, label, 1e-3);
  }

  void compare(const Graph& graph, const std::string& id, const std::string& what,
               const std::string& against, const Side& subject, const Side& baseline) {
    bench::PairOptions options;
    options.ratio = bench::Ratio::BaselineOverValue;
    options.pairs = options.quick_pairs = pairs_;
    options.max_repeats = pairs_;
    options.ping_pong = bench_->ping_pong();
    bench_->compare(
        {id + "." + graph.id, what + std::string(", ") + graph.what, "ms", against + ", 2 threads"},
        subject, baseline, options);
  }

  void searches(const Graph& graph) {
    if (!wanted("bfs")) return;
    const std::string roots = bench_->quick() ? " --nbfs=8" : " --nbfs=64";
    const Side subject = kernel(graph, GRAPPA_BENCH_BFS " --verify=sampled" + roots, "mean_time: ");
    compare(graph, "bfs", "search", "OpenMP, GAP's algorithm", subject,
            raw(graph, GRAPPA_BENCH_RAW_BFS + roots, "mean_time: "));
    compare(graph, "bfs_same", "search", "OpenMP, lists in our order", subject,
            raw(graph, GRAPPA_BENCH_RAW_BFS " --order=degree" + roots, "mean_time: "));
  }

  void components(const Graph& graph) {
    if (!wanted("cc")) return;
    const std::string trials = " --trials=" + repeats_;
    const Side subject = kernel(graph, GRAPPA_BENCH_CC + trials, "median_time: ");
    compare(graph, "cc", "components", "OpenMP, Afforest", subject,
            raw(graph, GRAPPA_BENCH_RAW_CC + trials, "median_time: "));
    compare(graph, "cc_same", "components", "OpenMP, our algorithm", subject,
            raw(graph, GRAPPA_BENCH_RAW_CC " --algorithm=sweeps" + trials, "median_time: "));
  }

  void ranks(const Graph& graph, const std::string& id, const std::string& method) {
    if (!wanted(id.c_str())) return;
    const std::string trials = " --trials=" + repeats_;
    compare(graph, id, "ranks", "OpenMP, GAP's algorithm",
            kernel(graph, GRAPPA_BENCH_PAGERANK " --method=" + method + trials, "seconds: "),
            raw(graph, GRAPPA_BENCH_RAW_PAGERANK " --algorithm=" + method + trials,
                "median_seconds: "));
  }

  void files(const Graph& graph) {
    const std::string id = graph.id;
    if (id != "k20" && id != "k22") return;
    const bench::FileRows rows(bench_, id, graph.what, graph.flags, kCores, pairs_);
    if (wanted("build")) rows.build();
    if (wanted("load")) rows.load();
    if (wanted("whole") && id == "k20") rows.whole();
  }

  void paths(const Graph& graph) {
    if (!wanted("sssp")) return;
    const std::string roots = " --nroots=" + repeats_;
    compare(graph, "sssp", "shortest paths", "OpenMP, GAP's delta-stepping",
            kernel(graph, GRAPPA_BENCH_SSSP + roots, "mean_time: "),
            raw(graph, GRAPPA_BENCH_RAW_SSSP " --delta=" + std::to_string(graph.raw_delta) + roots,
                "mean_time: "));
  }

  void triangles(const Graph& graph) {
    if (!wanted("tc")) return;
    const std::string why = graph.id == std::string("road")  ? "a road-like graph has no triangles"
                            : graph.id == std::string("k22") ? kTooLong
                                                             : "";
    if (!why.empty()) {
      bench_->omit("tc." + std::string(graph.id), why);
      bench_->omit("tc_same." + std::string(graph.id), why);
      return;
    }
    const Side subject = kernel(graph, GRAPPA_BENCH_TRIANGLES " --trials=1", "seconds: ");
    compare(graph, "tc", "triangles", "OpenMP, GAP's algorithm", subject,
            raw(graph, GRAPPA_BENCH_RAW_TC " --trials=1", "median_seconds: "));
    compare(graph, "tc_same", "triangles", "OpenMP, our algorithm", subject,
            raw(graph, GRAPPA_BENCH_RAW_TC " --algorithm=marks --trials=1", "median_seconds: "));
  }

  void betweenness(const Graph& graph) {
    if (!wanted("bc")) return;
    if (graph.id == std::string("web") || graph.id == std::string("k22")) {
      bench_->omit("bc." + std::string(graph.id), kTooLong);
      return;
    }
    const std::string trials = " --trials=4";
    compare(graph, "bc", "betweenness from 4 sources", "OpenMP, GAP's top-down algorithm",
            kernel(graph, GRAPPA_BENCH_BETWEENNESS + trials, "seconds: "),
            raw(graph, GRAPPA_BENCH_RAW_BC + trials, "median_seconds: "));
  }

  Bench* const bench_;
  const int pairs_;
  const std::string repeats_;
  const bench::TemporaryFolder folder_;
  std::vector<Graph> graphs_;
};

}  // namespace

int main(int argc, char* argv[]) {
  Bench bench(&argc, &argv, bench::Processes::One);
  apps::check_choice(
      "kernel", FLAGS_kernel,
      {"", "bfs", "cc", "pr", "pr_gs", "sssp", "tc", "bc", "build", "load", "whole"});
  apps::check_choice("graph", FLAGS_graph,
                     {"", "k18", "k20", "k22", "u20", "road", "web", "debian"});
  Kernels(&bench).measure();
  return bench.finish();
}
