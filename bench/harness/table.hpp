#pragma once

/// What a benchmark prints: a heading, a line for each figure as soon as it is measured, and what
/// the probes found.

#include "bench/harness/result.hpp"

#include <string>

namespace bench {

std::string table_heading(const Result& result);
std::string table_row(const Figure& figure);
std::string table_row(const Omission& omission);
std::string table_footing(const Result& result);

/// Four significant digits; integers in full.
std::string brief(double value);

/// "LOW - HIGH", both brief.
std::string brief(const Spread& spread);

}  // namespace bench
