#pragma once

/// The output of programs. A run is described by one JSON object, which --json writes to a file and
/// from which the lines on stdout are printed. Names are those of the Graph500 reference codes,
/// where such a name exists.

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

namespace apps {

typedef nlohmann::ordered_json Json;

/// Prints the graph and the algorithm of `run`, before the work. The graph is described by
/// GraphSource::report().
void print_graph(const Json& run, std::ostream& out);

/// Prints the parameters SCALE and edgefactor, if any, and the cost of the construction, after the
/// work.
void print_scale(const Json& run, std::ostream& out);
void print_construction(const Json& run, std::ostream& out);

/// Adds min_, firstquartile_, median_, thirdquartile_, max_, mean_ and stddev_ of a quantity, which
/// is the number `key` of each object in an array.
void add_statistics(const std::string& quantity, const Json& trials, const char* key, Json* values);

/// Also adds harmonic_mean_ and harmonic_stddev_. The quantity is a rate.
void add_rates(const std::string& quantity, const Json& trials, const char* key, Json* values);

/// Prints a line for each number of an object.
void print_values(const Json& values, std::ostream& out);

/// Writes the object to the file of --json, if `path` is not empty. A path in the object may
/// contain bytes that are not UTF-8.
void write_json(const std::string& path, const Json& run);

}  // namespace apps
