/// Updates random words of a table that is distributed over all cores, checks that each update was
/// applied once, and prints the speed in giga-updates per second.
///
/// Exit status: 0 if the table is correct, 1 if it is wrong, 2 for invalid input.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/job_memory.hpp"
#include "apps/common/program.hpp"
#include "apps/gups/gups_kernel.hpp"
#include "apps/gups/gups_report.hpp"
#include "apps/gups/gups_verify.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "structures/graph/graph_bytes.hpp"

#include <iostream>
#include <string>

DEFINE_int64(log_table, 20, "base-2 logarithm of the number of words of the table");
DEFINE_int64(updates, 0, "number of updates, over all cores; default: four for each word");
DEFINE_string(mode, "async", "async or blocking (add 1), or xor (makes each update twice)");
DEFINE_string(json, "", "output file for the results as JSON");

namespace {

gups::Mode mode_from_flag() {
  for (const gups::Mode mode : {gups::Mode::Async, gups::Mode::Blocking, gups::Mode::Xor}) {
    if (FLAGS_mode == gups::name_of(mode)) return mode;
  }
  Grappa::input_error("--mode=" + Grappa::detail::printable(FLAGS_mode) +
                      " is unknown; give async, blocking or xor");
}

void check_memory() {
  const double needed = double(sizeof(int64_t)) * double(int64_t(1) << FLAGS_log_table);
  const double available = apps::available_over_all();
  if (needed <= available) return;
  Grappa::input_error("a table of --log_table=" + std::to_string(FLAGS_log_table) + " needs " +
                      Grappa::detail::human_bytes(needed) + "; " +
                      Grappa::detail::human_bytes(available) + " are available");
}

gups::RunResult plan_from_flags() {
  apps::check_range("log_table", FLAGS_log_table, 1, 50);
  if (apps::is_given("updates")) apps::check_range("updates", FLAGS_updates, 1, int64_t(1) << 52);
  gups::RunResult run = {};
  run.mode = mode_from_flag();
  check_memory();
  if (!FLAGS_json.empty()) apps::check_writable("json", FLAGS_json);
  run.log_table = int(FLAGS_log_table);
  run.updates = apps::is_given("updates") ? FLAGS_updates : int64_t(4) << FLAGS_log_table;
  if (run.mode == gups::Mode::Xor) run.updates *= 2;
  run.cores = Grappa::cores();
  return run;
}

// Makes updates 0 to n-1 and adds the elapsed time to the result.
void update(const gups::Table& table, int64_t n, gups::RunResult* run) {
  Grappa::Progress progress("gups", n, "updates");
  const double start = Grappa::walltime();
  gups::update(table, run->mode, n, progress.counter());
  run->seconds += Grappa::walltime() - start;
}

// Returns an empty string, or a description of the error.
std::string update_and_verify(const gups::Table& table, gups::RunResult* run) {
  if (run->mode != gups::Mode::Xor) {
    Grappa::memset(table.words, 0, table.size());
    update(table, run->updates, run);
    return gups::wrong_sum(table, run->updates);
  }
  gups::number_words(table);
  update(table, run->updates / 2, run);
  const std::string wrong = gups::wrong_exclusive_or(table, run->updates / 2);
  if (!wrong.empty()) return wrong;
  update(table, run->updates / 2, run);
  return gups::wrong_numbers(table);
}

bool benchmark() {
  gups::RunResult run = plan_from_flags();
  gups::print_plan(run, std::cout);
  const gups::Table table = {Grappa::global_alloc<int64_t>(int64_t(1) << run.log_table),
                             run.log_table};
  const std::string wrong = update_and_verify(table, &run);
  Grappa::global_free(table.words);
  if (!wrong.empty()) {
    std::cerr << "gups: " + wrong + "\n" << std::flush;
    return false;
  }
  gups::print_rates(run, std::cout);
  if (!FLAGS_json.empty()) apps::write_file("json", FLAGS_json, gups::to_json(run));
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
