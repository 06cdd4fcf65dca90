#pragma once

/// Numbers with names, as reports print them and put them into JSON.

#include "apps/common/statistics.hpp"

#include <string>
#include <utility>
#include <vector>

namespace apps {

typedef std::vector<std::pair<std::string, double>> NamedValues;

/// min_, firstquartile_, median_, thirdquartile_ and max_ of a quantity, as the Graph500 reference
/// codes name them.
void add_summary(const std::string& quantity, const Summary& s, NamedValues* values);

/// mean_ and stddev_.
void add_mean(const std::string& quantity, const Summary& s, NamedValues* values);

/// harmonic_mean_ and harmonic_stddev_.
void add_harmonic(const std::string& quantity, const HarmonicSummary& s, NamedValues* values);

/// As printf has it, with one conversion of a double.
std::string number(const char* format, double value);

}  // namespace apps
