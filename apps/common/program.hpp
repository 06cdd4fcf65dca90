#pragma once

/// The common part of `main` and of the output of all programs. One JSON object describes a run.
/// --json writes the object to a file, and the lines on stdout are printed from it. Names are those
/// of the Graph500 reference codes, where such a name exists.

#include <Grappa.hpp>

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace apps {

typedef nlohmann::ordered_json Json;

/// Runs `body` as the main task of a job. Rejects arguments that are not flags. Returns the exit
/// status of main: 1 if `body` returns false because a result is wrong, otherwise 0. From: main.
int run_program(int argc, char* argv[], bool (*body)());

/// Runs `body`, and returns the elapsed time in seconds.
template <class F>
double seconds_of(F body) {
  const double start = Grappa::walltime();
  body();
  return Grappa::walltime() - start;
}

/// If `error` is not empty, prints one line on stderr with the program and the error, and returns
/// true.
bool report_wrong(const char* program, const std::string& error);

/// Formats `value` like printf. `format` has one conversion of a double.
std::string number(const char* format, double value);

/// Returns the free memory of all nodes of the job, or of the global heap if that is less. The heap
/// may be larger than the memory (--heap_bytes reserves address space). From: task. Suspends.
double available_over_all();

/// Aborts the job if `bytes` exceeds `available`, before any of the memory is touched. `what` ends
/// with "needs" or "need".
void check_memory(const std::string& what, double bytes, double available = available_over_all(),
                  const std::string& advice = "");

/// Prints the graph and the algorithm of `run`, before the work. The graph is described by
/// GraphSource::report().
void print_graph(const Json& run);

/// Prints the parameters SCALE and edgefactor, if any, and the construction cost, after the work.
void print_scale(const Json& run);
void print_construction(const Json& run);

/// A quantity is the number `key` of each object in an array. The statistics are min_NAME,
/// firstquartile_NAME, median_NAME, thirdquartile_NAME, max_NAME, mean_NAME and stddev_NAME; if the
/// quantity is a rate, also harmonic_mean_NAME and harmonic_stddev_NAME.
struct Quantity {
  const char* name;
  const char* key;
  bool is_rate;
};
/// Prints the statistics, and adds them to `run`.
void report_statistics(const Json& trials, std::initializer_list<Quantity> quantities, Json* run);

/// Prints each value of `values` as a line "key: value", and adds it to `run`.
void report_values(const Json& values, Json* run);

/// Reports `seconds`, and the value UNIT_per_second over all cores and per core.
void report_speed(const std::string& unit, double count, double seconds, Json* run);

/// Writes the object to the file of --json, if `path` is not empty. A path in the object may
/// contain bytes that are not UTF-8.
void write_json(const std::string& path, const Json& run);

}  // namespace apps
