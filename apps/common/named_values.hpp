#pragma once

/// Named numbers for reports and JSON. The names are those of the Graph500 reference codes.

#include <string>
#include <utility>
#include <vector>

namespace apps {

typedef std::vector<std::pair<std::string, double>> NamedValues;

/// Adds min_, firstquartile_, median_, thirdquartile_, max_, mean_ and stddev_ of a quantity.
void add_statistics(const std::string& quantity, const std::vector<double>& sample,
                    NamedValues* values);

/// Adds harmonic_mean_ and harmonic_stddev_ of rates.
void add_harmonic(const std::string& quantity, const std::vector<double>& sample,
                  NamedValues* values);

/// Formats `value` like printf. `format` has one conversion of a double.
std::string number(const char* format, double value);

}  // namespace apps
