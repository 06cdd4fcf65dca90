#pragma once

/// Figures 6 to 9 of the paper ("Flat Combining Synchronized Global Data Structures", PGAS 2013) as
/// tables. A table has one column for each curve, with results of bench/structures, bench/graph and
/// bench/cc. `./grappa bench figures` draws the figures. With --simulate, all figures are from
/// bench/simulated, and the points of each curve are numbers of locales.

#include "bench/harness/result.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench { namespace plot {

/// The numbers of cores in figures 6 and 9.
const std::vector<int>& core_numbers();

/// The numbers of cores in figure 7. A job of one core combines no operations.
const std::vector<int>& several_core_numbers();

/// The base-2 logarithms of the key ranges in figure 8.
const std::vector<int>& log_key_ranges();

/// The percentages of lookups in figure 8.
const std::vector<int>& lookup_percentages();

/// Programs that push to an array of core 0 without a global structure, in figure 6: a delegate
/// call that appends, the same asynchronously, and a fetch_and_add that reserves an index.
const std::vector<std::string>& plain_programs();

/// The searches in figure 9a, each as "algorithm.combining". The baseline is the tuned search.
const std::vector<std::string>& bfs_forms();

/// The variants of kahan in figure 9b: without combining, with combining only (kUncachedForm), or
/// with combining and the cache of known keys. The baseline is the tuned algorithm.
const std::vector<std::string>& kahan_forms();
constexpr char kUncachedForm[] = "uncached";

/// Ids of the figures that the benchmarks record for the pictures.
///
/// Operations per second in `mode` (centralized or distributed); baseline: without combining. If
/// `mix` is "plain", these are pushes in a loop, combined on each core, and `mode` is one of
/// plain_programs(), the baseline.
std::string throughput_id(const std::string& structure, const std::string& mix,
                          const std::string& mode, int cores);
/// The number of operations of the stack; baseline: the number of combined messages.
std::string messages_id(const std::string& mix, int cores);
/// Operations per second with combining; baseline: without combining. A set is measured with its
/// cache of known keys. The structure kUncachedSet is a set without this cache.
std::string hash_id(const std::string& structure, int lookup_percentage, int log_key_range);
constexpr char kUncachedSet[] = "set.uncached";

/// Traversed edges per second of a search; baseline: the tuned search.
std::string bfs_id(const std::string& form, int cores);

/// Edges per second of a variant of kahan; baseline: the tuned algorithm.
std::string cc_id(const std::string& form, int cores);

/// In simulations: the numbers of locales; and figure 8, against locales for two key ranges.
const std::vector<int>& locale_numbers();
const std::vector<int>& simulated_log_key_ranges();
constexpr int kSimulatedLookups = 50;  // percentage

/// The id of a point of a simulated curve, for the id of the same point of the measured curve with
/// the number of cores replaced by the number of locales.
std::string simulated_id(const std::string& id);
std::string simulated_hash_id(const std::string& structure, int log_key_range, int locales);

struct Curve {
  /// The number of a figure that is the y value of a point.
  enum class Reading { Value, Baseline, Ratio };

  std::string name;                      // the heading of its column
  std::function<std::string(int x)> id;  // the id of the figure for the point at x
  Reading reading;
};

struct Picture {
  std::string name;       // name of the files
  std::string script;     // name of the script that draws the picture
  std::string benchmark;  // the benchmark that measures the figures
  std::string x;          // the heading of the first column
  std::vector<int> xs;
  std::vector<Curve> curves;
};

/// Returns the pictures of the benchmark of a result, or an empty vector if the benchmark has no
/// pictures. A simulated picture has the numbers of locales for which the result has points, and is
/// left out if there are none.
std::vector<Picture> pictures_of(const Result& result);

/// Returns the table of a picture in CSV format. The first line is a comment with the source of the
/// numbers. If a figure is missing from the result or was not verified, `problem` is set to an
/// error message, and the table is incomplete.
std::string to_csv(const Picture& picture, const Result& result, std::string* problem);

}}  // namespace bench::plot
