/// Connected components of a generated graph or a file: builds the graph, finds its components a
/// given number of times, verifies each result, and prints the number of components, their sizes,
/// and the speed.
///
/// Exit status: 0 if every result is right, 1 if a result is wrong, 2 for invalid input.

#include <Grappa.hpp>

#include "apps/cc/cc_choice.hpp"
#include "apps/cc/cc_report.hpp"
#include "apps/cc/cc_verify.hpp"
#include "apps/cc/component_sizes.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/graph_source.hpp"
#include "apps/common/program.hpp"
#include "apps/common/vertex_file.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/input_error.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>

DEFINE_int64(trials, 1, "number of times to find the components");
DEFINE_string(verify, "full", "verification of each result: none, rules or full");
DEFINE_string(labels, "",
              "output file for the label of each vertex: the smallest vertex of its component");
DEFINE_string(json, "", "output file for the results as JSON");

namespace {

using apps::GraphSource;
using Grappa::GlobalAddress;
using Grappa::VertexID;

// Checks everything that can be checked before the work begins.
void check_flags() {
  apps::check_graph_flags();
  cc::check_algorithm_flags();
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  if (FLAGS_verify != "none" && FLAGS_verify != "rules" && FLAGS_verify != "full") {
    Grappa::input_error("--verify=" + Grappa::detail::printable(FLAGS_verify) +
                        " is unknown; give none, rules or full");
  }
  if (!FLAGS_labels.empty()) apps::check_writable("labels", FLAGS_labels);
  if (!FLAGS_json.empty()) apps::check_writable("json", FLAGS_json);
}

cc::VerifyLevel verify_level() {
  if (FLAGS_verify == "none") return cc::VerifyLevel::None;
  return FLAGS_verify == "rules" ? cc::VerifyLevel::Rules : cc::VerifyLevel::Full;
}

double bytes_needed(int64_t nv, int64_t nedge) {
  return std::max(Grappa::detail::graph_bytes_to_build(nv, nedge, sizeof(cc::Vertex)),
                  Grappa::detail::graph_bytes_at_rest(nv, nedge, sizeof(cc::Vertex)) +
                      cc::components_bytes_needed(nv) + cc::verify_bytes_needed(nv));
}

/// Finds and verifies the components of one graph repeatedly.
class Trials {
 public:
  Trials(GlobalAddress<cc::LabelGraph> g, const GraphSource& source)
      : source_(source),
        nv_(g->nv),
        components_(cc::make_components(g)),
        verifier_(source.tuples(), g, verify_level()),
        label_(Grappa::global_alloc<VertexID>(nv_)) {}
  ~Trials() { Grappa::global_free(label_); }

  // Returns false, with a message on stderr, if the result is wrong.
  bool run(cc::TrialResult* result) {
    const double start = Grappa::walltime();
    components_->run();
    const double end = Grappa::walltime();
    components_->copy_labels(label_);
    const double copied = Grappa::walltime();
    const cc::Verdict verdict = verifier_.verify(label_);
    *result = cc::TrialResult{end - start, Grappa::walltime() - copied, source_.tuples().nedge,
                              cc::count_labels(label_, nv_), components_->meeting_counts()};
    if (!verdict.valid) std::cerr << "cc: wrong labels: " + verdict.sentence + "\n" << std::flush;
    return verdict.valid;
  }

  bool compares() const { return verifier_.compares(); }
  GlobalAddress<VertexID> label() const { return label_; }

 private:
  const GraphSource& source_;
  const int64_t nv_;
  const std::unique_ptr<cc::Components> components_;
  cc::Verifier verifier_;
  const GlobalAddress<VertexID> label_;
};

void write_labels(const GraphSource& source, GlobalAddress<VertexID> label) {
  const int64_t nv = source.tuples().nv;
  cc::take_smallest_labels(label, nv, source.original_ids());
  apps::write_pairs("labels", FLAGS_labels, nv, label, source.original_ids(), false);
}

// Returns false if a result is wrong; the remaining trials are then not run.
bool run_trials(GlobalAddress<cc::LabelGraph> g, const GraphSource& source, cc::RunResult* all) {
  Trials trials(g, source);
  all->compared = trials.compares();
  for (int64_t i = 0; i < FLAGS_trials; ++i) {
    cc::TrialResult result;
    if (!trials.run(&result)) return false;
    all->trials.push_back(result);
    cc::print_trial(i, *all, std::cout);
  }
  all->sizes = cc::component_sizes(trials.label(), g->nv);
  if (!FLAGS_labels.empty()) write_labels(source, trials.label());
  return true;
}

bool benchmark() {
  check_flags();
  GraphSource source(&bytes_needed);
  const GlobalAddress<cc::LabelGraph> g = source.build<cc::LabelGraph>();

  cc::RunResult run = {};
  run.graph = source.report(g);
  run.algorithm = cc::algorithm_description();
  run.has_cross_edges = cc::counts_cross_edges();
  run.verify = FLAGS_verify;
  apps::print_graph(run.graph, run.algorithm, std::cout);

  const bool right = run_trials(g, source, &run);
  if (right) {
    cc::print_statistics(run, std::cout);
    if (!FLAGS_json.empty()) apps::write_file("json", FLAGS_json, cc::to_json(run));
  }
  g->destroy();
  return right;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
