/// Communities of a generated graph or a file, by label propagation.

#include "apps/common/classes.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/statistics.hpp"
#include "apps/common/verifier_memory.hpp"
#include "apps/common/vertex_values.hpp"
#include "apps/communities/communities.hpp"
#include "apps/communities/communities_verify.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <vector>

DEFINE_int64(iterations, 10,
             "largest number of iterations; the program stops earlier if no label changes");
DEFINE_int64(trials, 1, "number of times to find the communities; the median time is reported");
DEFINE_bool(verify, true, "propagate the labels serially, too, on one core");
DEFINE_string(labels, "", "output file for the label of each vertex");

namespace {

using communities::CommunityGraph;
using Grappa::GlobalAddress;
using Grappa::VertexID;
typedef CommunityGraph::Vertex Vertex;

// After the graph is built, the program needs a mirror, and later an array of labels, the size of
// each community, and tables of labels and records for the file of --labels.
double bytes_needed(int64_t nv, int64_t nedge) {
  const double label = nv < int64_t(1) << 32 ? 4 : 8;
  const double mirror = 2 * label * Grappa::locales() * apps::slots_at_most(nv);
  return std::max(apps::graph_bytes_needed<CommunityGraph>(nv, nedge),
                  Grappa::detail::graph_bytes_at_rest(nv, nedge, sizeof(Vertex)) +
                      std::max(mirror, 56.0 * double(nv)));
}

// The label of each vertex is its id in the input, so the order of the vertices has no effect.
void set_first_labels(GlobalAddress<CommunityGraph> g, GlobalAddress<VertexID> original) {
  Grappa::forall(g, [original](VertexID id, Vertex& v) {
    v->label = original ? Grappa::delegate::read(original + id) : id;
  });
}

std::vector<VertexID> labels_of(GlobalAddress<CommunityGraph> g) {
  return apps::vertex_values<VertexID>(g, [](const Vertex& v) { return v->label; });
}

// Prints the number of communities and the largest size, and writes the file of --labels.
void report_communities(GlobalAddress<CommunityGraph> g, const apps::GraphSource& source) {
  const auto label = Grappa::global_alloc<VertexID>(g->nv);
  Grappa::forall(g, [label](VertexID id, Vertex& v) {
    Grappa::delegate::write<Grappa::async>(label + id, v->label);
  });
  const std::map<int64_t, int64_t> sizes = apps::class_sizes(label, g->nv);
  int64_t count = 0;
  for (const auto& each : sizes) count += each.second;
  std::cout << "communities: " << count << "\nlargest community: " << sizes.rbegin()->first
            << " vertices" << std::endl;
  source.write_values("labels", FLAGS_labels, label, false);
  Grappa::global_free(label);
}

// Prints the number of wrong labels. Returns true if there are none.
bool verify(GlobalAddress<CommunityGraph> g, const Grappa::TupleGraph& tuples,
            const std::vector<VertexID>& first_labels) {
  const std::vector<VertexID> labels = labels_of(g);
  const std::vector<VertexID> expected =
      communities::propagate_serially(tuples, first_labels, FLAGS_iterations);
  int64_t wrong = 0;
  for (size_t v = 0; v < labels.size(); ++v) wrong += labels[v] != expected[v];
  std::cout << "wrong: " << wrong << std::endl;
  if (wrong > 0) std::cerr << "communities: " << wrong << " labels are wrong" << std::endl;
  return wrong == 0;
}

bool find_communities() {
  apps::check_graph_flags();
  apps::check_range("iterations", FLAGS_iterations, 1, int64_t(1) << 40);
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  apps::check_values_file("labels", FLAGS_labels);
  apps::GraphSource source(&bytes_needed);
  const GlobalAddress<CommunityGraph> g = source.build<CommunityGraph>();
  if (FLAGS_verify) apps::check_verifier_memory(source.edges(), communities::kVerifierBytes);
  std::vector<VertexID> first_labels;
  if (FLAGS_verify) {
    set_first_labels(g, source.original_ids());
    first_labels = labels_of(g);
  }
  std::vector<double> seconds;
  int64_t iterations = 0;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    set_first_labels(g, source.original_ids());
    const double start = Grappa::walltime();
    iterations = communities::propagate_labels(g, FLAGS_iterations);
    seconds.push_back(Grappa::walltime() - start);
  }
  std::cout << "graph: " << source.description() << "\nvertices: " << g->nv
            << "\nedges: " << g->nadj / 2 << "\nseconds: " << apps::summarize(seconds).median
            << "\niterations: " << iterations << std::endl;
  report_communities(g, source);
  const bool right = !FLAGS_verify || verify(g, source.tuples(), first_labels);
  g->destroy();
  return right;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &find_communities); }
