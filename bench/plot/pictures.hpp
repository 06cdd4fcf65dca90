#pragma once

/// The figures of the paper as tables: one column for each curve, with results of bench/structures,
/// bench/graph and bench/cc. `./grappa bench figures` draws them ("Flat Combining Synchronized
/// Global Data Structures", PGAS 2013, figures 6 to 9).

#include "bench/harness/result.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench { namespace plot {

/// The numbers of cores in figures 6, 7 and 9.
const std::vector<int>& core_numbers();

/// The base-2 logarithms of the key ranges in figure 8.
const std::vector<int>& log_key_ranges();

/// The percentages of lookups in figure 8.
const std::vector<int>& lookup_percentages();

/// The searches in figure 9a, each as "algorithm.combining"; their baseline is the tuned search.
const std::vector<std::string>& bfs_forms();

/// The variants of kahan in figure 9b: without combining, with combining only (kUncachedForm), or
/// with combining and the cache of known keys. Their baseline is the tuned algorithm.
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
/// known keys, and, as the structure kUncachedSet, without the cache.
std::string hash_id(const std::string& structure, int lookup_percentage, int log_key_range);
constexpr char kUncachedSet[] = "set.uncached";

/// Traversed edges a second of a search, against the tuned search.
std::string bfs_id(const std::string& form, int cores);

/// Edges a second of a variant of kahan, against the tuned algorithm.
std::string cc_id(const std::string& form, int cores);

struct Curve {
  /// The number of a figure that is the y value of a point.
  enum class Reading { Value, Baseline, Ratio };

  std::string name;                      // the heading of its column
  std::function<std::string(int x)> id;  // the id of the figure for the point at x
  Reading reading;
};

struct Picture {
  std::string name;       // of its files, and of the script that draws it
  std::string benchmark;  // the benchmark that measures its figures
  std::string x;          // the heading of the first column
  std::vector<int> xs;
  std::vector<Curve> curves;
};

/// The pictures of a benchmark; empty for a benchmark without pictures.
std::vector<Picture> pictures_of(const std::string& benchmark);

/// The table of a picture in CSV format; its first line is a comment with the source of the
/// numbers. If a figure is missing from the result or was not verified, `problem` is set to an
/// error message, and the table is incomplete.
std::string to_csv(const Picture& picture, const Result& result, std::string* problem);

}}  // namespace bench::plot
