#pragma once

/// The output of a benchmark: a heading, one line for each figure when it is measured, and the
/// state of the machine.

#include "bench/harness/result.hpp"

#include <string>

namespace bench {

std::string table_heading(const Result& result);
std::string table_row(const Figure& figure);
std::string table_row(const Omission& omission);
std::string table_footing(const Result& result);

/// Formats a value with four significant digits, or an integer with all digits.
std::string brief(double value);

/// Returns "LOW - HIGH", both formatted by brief(double).
std::string brief(const Spread& spread);

}  // namespace bench
