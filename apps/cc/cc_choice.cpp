#include "apps/cc/cc_choice.hpp"

#include "apps/cc/cc_afforest.hpp"
#include "apps/cc/cc_kahan.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "structures/combining.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "system/base/input_error.hpp"

DEFINE_string(algorithm, "afforest",
              "kahan (three phases, cross edges in a GlobalSet), tuned (the same with one set on "
              "each core) or afforest (the fastest)");
DEFINE_int64(concurrent_roots, 64,
             "largest number of traversals of kahan and tuned in flight, over all cores; at least "
             "one on each");

namespace cc {
namespace {

// Each traversal needs its own start vertex.
void check_concurrent_roots(int64_t nv) {
  if (!apps::is_given("concurrent_roots")) return;
  apps::check_at_most("concurrent_roots", FLAGS_concurrent_roots, nv, "vertices of the graph");
}

}  // namespace

void check_algorithm_flags() {
  if (FLAGS_algorithm != "kahan" && FLAGS_algorithm != "tuned" && FLAGS_algorithm != "afforest") {
    Grappa::input_error("--algorithm=" + Grappa::detail::printable(FLAGS_algorithm) +
                        " is unknown; give kahan, tuned or afforest");
  }
  Grappa::detail::default_combining();  // aborts the job if the flag is invalid
  apps::check_range("concurrent_roots", FLAGS_concurrent_roots, 1, int64_t(1) << 40);
  check_concurrent_roots(apps::vertices_at_most());
}

std::unique_ptr<Components> make_components(GlobalAddress<LabelGraph> g) {
  check_concurrent_roots(g->nv);
  if (FLAGS_algorithm == "kahan") {
    return kahan_components(g, Grappa::detail::default_combining(), FLAGS_concurrent_roots);
  }
  if (FLAGS_algorithm == "tuned") return tuned_components(g, FLAGS_concurrent_roots);
  return afforest_components(g);
}

std::string algorithm_description() {
  const std::string roots = std::to_string(FLAGS_concurrent_roots) + " traversals in flight";
  if (FLAGS_algorithm == "kahan") {
    return std::string("kahan, combining ") +
           Grappa::detail::name_of(Grappa::detail::default_combining()) + ", " + roots;
  }
  return FLAGS_algorithm == "tuned" ? "tuned, " + roots : FLAGS_algorithm;
}

bool counts_cross_edges() { return FLAGS_algorithm != "afforest"; }

double components_bytes_needed(int64_t nv) {
  // Memory of a set of cross edges with one entry for each vertex.
  return 64.0 * double(nv);
}

}  // namespace cc
