#pragma once

/// The paper's figures as tables: a column for each curve, filled from what bench/structures,
/// bench/graph and bench/cc have measured. `./grappa bench figures` draws them ("Flat Combining
/// Synchronized Global Data Structures", PGAS 2013, figures 6 to 9).

#include "bench/harness/result.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {
namespace plot {

/// The numbers of cores, of figures 6, 7 and 9.
const std::vector<int>& core_numbers();

/// The logarithms to base 2 of the key ranges of figure 8.
const std::vector<int>& log_key_ranges();

/// How many of 100 operations are lookups, in figure 8.
const std::vector<int>& lookup_percentages();

/// The forms of the search in figure 9a, each as "algorithm.combining"; the tuned one is their
/// baseline.
const std::vector<std::string>& bfs_forms();

/// How inserts into the set of the three-phase components are saved in figure 9b: not at all, by
/// combining alone (kUncachedForm), or by combining and the cache of known keys. The tuned form is
/// their baseline.
const std::vector<std::string>& kahan_forms();
constexpr char kUncachedForm[] = "uncached";

/// Ids of the figures that the benchmarks record for the pictures.
///
/// Operations a second of `mode`, centralized or distributed, against those without combining.
std::string throughput_id(const std::string& structure, const std::string& mix,
                          const std::string& mode, int cores);
/// Operations of the stack against combined messages.
std::string messages_id(const std::string& mix, int cores);
/// Operations a second with combining, against those without. A set is measured with its cache of
/// known keys, and without it as the structure kUncachedSet.
std::string hash_id(const std::string& structure, int lookup_percentage, int log_key_range);
constexpr char kUncachedSet[] = "set.uncached";

/// Traversed edges a second of a form of the search, against the tuned one.
std::string bfs_id(const std::string& form, int cores);

/// Edges a second of the three-phase components, against the tuned form.
std::string cc_id(const std::string& form, int cores);

struct Curve {
  /// What a figure says of a point.
  enum class Reading { Value, Baseline, Ratio };

  std::string name;                      // the head of its column
  std::function<std::string(int x)> id;  // of the figure that has the point at x
  Reading reading;
};

struct Picture {
  std::string name;       // of its files, and of the script that draws it
  std::string benchmark;  // whose result it is drawn from
  std::string x;          // the head of the first column
  std::vector<int> xs;
  std::vector<Curve> curves;
};

/// Those that are drawn from the result of a benchmark; none from that of another.
std::vector<Picture> pictures_of(const std::string& benchmark);

/// The table of a picture, in the format CSV; its first line, a comment, says where the numbers are
/// from. Leaves a phrase in `problem`, and the table incomplete, if a figure is missing from the
/// result or was not verified.
std::string to_csv(const Picture& picture, const Result& result, std::string* problem);

}  // namespace plot
}  // namespace bench
