/// The core numbers of the vertices of a generated graph or a file.

#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/statistics.hpp"
#include "apps/common/verifier_memory.hpp"
#include "apps/kcore/kcore.hpp"
#include "apps/kcore/kcore_verify.hpp"

#include <algorithm>
#include <iostream>
#include <vector>

DEFINE_int64(trials, 1, "number of times to find the cores; the median time is reported");
DEFINE_bool(verify, true, "find the cores serially, too, on one core");

namespace {

using kcore::CoreGraph;

// The vertices of this core with the highest core number of this core.
struct Innermost {
  uint32_t core;
  int64_t vertices;
} innermost;

Innermost merge(const Innermost& a, const Innermost& b) {
  if (a.core == b.core) return Innermost{a.core, a.vertices + b.vertices};
  return a.core > b.core ? a : b;
}

// Beside the graph: three lists of the vertices.
double bytes_needed(int64_t nv, int64_t nedge) {
  return apps::graph_bytes_needed<CoreGraph>(nv, nedge) + 24.0 * double(nv);
}

bool find_cores() {
  apps::check_graph_flags();
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  apps::GraphSource source(&bytes_needed);
  const Grappa::GlobalAddress<CoreGraph> g = source.build<CoreGraph>();
  if (FLAGS_verify) apps::check_verifier_memory(source.edges(), kcore::kVerifierBytes);
  std::vector<double> seconds;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    const double start = Grappa::walltime();
    kcore::find_cores(g);
    seconds.push_back(Grappa::walltime() - start);
  }
  Grappa::forall(g, [](CoreGraph::Vertex& v) {
    innermost = merge(innermost, Innermost{v->core, 1});
  });
  const Innermost most = Grappa::reduce<Innermost, merge>(&innermost);
  std::cout << "graph: " << source.description() << "\nvertices: " << g->nv
            << "\nedges: " << g->nadj / 2 << "\nseconds: " << apps::summarize(seconds).median
            << "\nhighest core number: " << most.core << ", of " << most.vertices << " vertices"
            << std::endl;
  const int64_t wrong = FLAGS_verify ? kcore::count_wrong(g, source.tuples()) : 0;
  if (FLAGS_verify) std::cout << "wrong: " << wrong << std::endl;
  if (wrong > 0) std::cerr << "kcore: " << wrong << " core numbers are wrong" << std::endl;
  g->destroy();
  return wrong == 0;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &find_cores); }
