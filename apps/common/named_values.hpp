#pragma once

/// Numbers with names, as reports print them and put them into JSON. Names are those of the
/// Graph500 reference codes.

#include <string>
#include <utility>
#include <vector>

namespace apps {

typedef std::vector<std::pair<std::string, double>> NamedValues;

/// min_, firstquartile_, median_, thirdquartile_, max_, mean_ and stddev_ of a quantity.
void add_statistics(const std::string& quantity, const std::vector<double>& sample,
                    NamedValues* values);

/// harmonic_mean_ and harmonic_stddev_, of rates.
void add_harmonic(const std::string& quantity, const std::vector<double>& sample,
                  NamedValues* values);

/// As printf has it, with one conversion of a double.
std::string number(const char* format, double value);

}  // namespace apps
