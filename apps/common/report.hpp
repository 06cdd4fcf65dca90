#pragma once

/// The output of programs. A run is described by one JSON object, which --json writes to a file and
/// from which the lines on stdout are printed. Names are those of the Graph500 reference codes,
/// where such a name exists.

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace apps {

typedef nlohmann::ordered_json Json;

/// Prints the graph and the algorithm of `run`, before the work. The graph is described by
/// GraphSource::report().
void print_graph(const Json& run);

/// Prints the parameters SCALE and edgefactor, if any, and the cost of the construction, after the
/// work.
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

/// Reports `seconds`, and UNIT_per_second, over all cores and per core.
void report_speed(const std::string& unit, double count, double seconds, Json* run);

/// Writes the object to the file of --json, if `path` is not empty. A path in the object may
/// contain bytes that are not UTF-8.
void write_json(const std::string& path, const Json& run);

}  // namespace apps
