/// Updates random words of a table that is distributed over all cores, checks that each update was
/// applied once, and prints the speed in giga-updates per second.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/gups/gups.hpp"

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

DEFINE_int64(log_table, 20, "base-2 logarithm of the number of words of the table");
DEFINE_int64(updates, 0, "number of updates, over all cores; default: four for each word");
DEFINE_string(mode, "async", "async or blocking (add 1), or xor (makes each update twice)");
DEFINE_string(json, "", "output file for the results as JSON");

namespace {

// Checks all flags. Returns the value of --mode.
gups::Mode check_flags() {
  apps::check_range("log_table", FLAGS_log_table, 1, 50);
  if (apps::is_given("updates")) apps::check_range("updates", FLAGS_updates, 1, int64_t(1) << 52);
  const int mode = apps::check_choice("mode", FLAGS_mode, {"async", "blocking", "xor"});
  apps::check_memory("a table of --log_table=" + std::to_string(FLAGS_log_table) + " needs",
                     double(sizeof(int64_t)) * double(int64_t(1) << FLAGS_log_table));
  apps::check_writable("json", FLAGS_json);
  return static_cast<gups::Mode>(mode);
}

// Makes updates 0 to n-1 and adds the elapsed time to `seconds`.
void update(const gups::Table& table, gups::Mode mode, int64_t n, double* seconds) {
  Grappa::Progress progress("gups", n, "updates");
  *seconds += apps::seconds_of([&] { gups::update(table, mode, n, progress.counter()); });
}

// Makes updates 0 to n-1, twice in mode Xor. Returns an error message, or an empty string.
std::string update_and_verify(const gups::Table& table, gups::Mode mode, int64_t n,
                              double* seconds) {
  if (mode != gups::Mode::Xor) {
    Grappa::memset(table.words, 0, table.size());
    update(table, mode, n, seconds);
    return gups::wrong_sum(table, n);
  }
  gups::number_words(table);
  update(table, mode, n, seconds);
  const std::string wrong = gups::wrong_exclusive_or(table, n);
  if (!wrong.empty()) return wrong;
  update(table, mode, n, seconds);
  return gups::wrong_numbers(table);
}

// Prints the speed, and writes the JSON file. `run` has the parameters.
void report(apps::Json run, double seconds) {
  apps::report_speed("updates", run["updates"].get<double>(), seconds, &run);
  std::cout << "verified" << std::endl;
  run["verified"] = true;
  apps::write_json(FLAGS_json, run);
}

bool benchmark() {
  const gups::Mode mode = check_flags();
  const int64_t n = apps::is_given("updates") ? FLAGS_updates : int64_t(4) << FLAGS_log_table;
  const int64_t updates = mode == gups::Mode::Xor ? 2 * n : n;
  std::cout << "table: 2^" << FLAGS_log_table << " words\nmode: " << FLAGS_mode
            << "\nupdates: " << updates << "\ncores: " << Grappa::cores() << std::endl;
  const gups::Table table = {Grappa::global_alloc<int64_t>(int64_t(1) << FLAGS_log_table),
                             int(FLAGS_log_table)};
  double seconds = 0;
  const std::string wrong = update_and_verify(table, mode, n, &seconds);
  Grappa::global_free(table.words);
  if (apps::report_wrong("gups", wrong)) return false;
  report({{"log_table", FLAGS_log_table},
          {"mode", FLAGS_mode},
          {"updates", updates},
          {"cores", Grappa::cores()}},
         seconds);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &benchmark); }
