/// The Unbalanced Tree Search benchmark: counts the nodes of a tree that cannot be divided evenly
/// in advance, with tasks that idle cores steal. Prints the speed and the share of each core.
///
/// Exit status: 0 if the counts match the published counts or no counts are published, 1 if they
/// are wrong, 2 for invalid input.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/uts/uts_flags.hpp"
#include "apps/uts/uts_kernel.hpp"
#include "apps/uts/uts_report.hpp"

#include <iostream>
#include <string>

DEFINE_string(json, "", "output file for the results as JSON");

namespace {

bool benchmark() {
  uts::RunResult run = {};
  run.parameters = uts::parameters_from_flags();
  run.published = uts::find_published(run.parameters);
  if (!FLAGS_json.empty()) apps::check_writable("json", FLAGS_json);
  uts::print_tree(run, std::cout);

  const double start = Grappa::walltime();
  run.by_core = uts::search(run.parameters);
  run.seconds = Grappa::walltime() - start;
  run.counts = uts::total(run.by_core);

  const std::string wrong = uts::wrong_counts(run);
  if (!wrong.empty()) {
    std::cerr << "uts: " + wrong + "\n" << std::flush;
    return false;
  }
  uts::print_counts(run, std::cout);
  if (!FLAGS_json.empty()) apps::write_file("json", FLAGS_json, uts::to_json(run));
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
