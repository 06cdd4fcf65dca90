/// Counts the triangles of a generated graph or a file.

#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/statistics.hpp"
#include "apps/common/verifier_memory.hpp"
#include "apps/triangles/triangles.hpp"
#include "apps/triangles/triangles_verify.hpp"

#include <iostream>
#include <vector>

DEFINE_int64(trials, 1, "number of times to count; the median time is reported");
DEFINE_bool(verify, true, "count serially, too, on one core");

namespace {

using triangles::PlainGraph;

// Beside the graph: an upper entry for each edge; the offset of an upper list for each vertex; for
// each slot, two degrees and two empty values on each locale, and a bit on each core.
double bytes_needed(int64_t nv, int64_t nedge) {
  const double counting =
      8.0 * double(nedge) + 8.0 * double(nv) +
      (10.0 * Grappa::locales() + Grappa::cores() / 8.0) * apps::slots_at_most(nv);
  return apps::graph_bytes_needed<PlainGraph>(nv, nedge) + counting;
}

bool count() {
  apps::check_graph_flags();
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  apps::GraphSource source(&bytes_needed);
  const Grappa::GlobalAddress<PlainGraph> g = source.build<PlainGraph>();
  if (FLAGS_verify) apps::check_verifier_memory(source.edges(), triangles::kVerifierBytes);
  int64_t found = 0;
  std::vector<double> seconds;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    const double start = Grappa::walltime();
    found = triangles::count_triangles(g);
    seconds.push_back(Grappa::walltime() - start);
  }
  std::cout << "graph: " << source.description() << "\nvertices: " << g->nv
            << "\nedges: " << g->nadj / 2 << "\ntriangles: " << found
            << "\nseconds: " << apps::summarize(seconds).median << std::endl;
  const int64_t expected = FLAGS_verify ? triangles::count_serially(source.tuples()) : found;
  if (FLAGS_verify) std::cout << "wrong: " << found - expected << std::endl;
  g->destroy();
  return !apps::report_wrong("triangles", found == expected
                                              ? ""
                                              : std::to_string(found) + " triangles, expected " +
                                                    std::to_string(expected));
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &count); }
