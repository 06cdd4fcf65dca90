#pragma once

/// Numbers as people read them: few digits, and a prefix that says how large they are.

#include <string>

namespace Grappa {
namespace detail {

std::string readable_count(double count);      // 14.2 M
std::string readable_mean(double mean);        // the same; below 10 with a decimal: 2.5
std::string readable_bytes(double bytes);      // 2.1 GB, of 1,000,000,000 bytes
std::string readable_rate(double per_second);  // 14.2 M/s
std::string readable_seconds(double seconds);  // 3.21 s; 12.3 ms; 4.5 min; 3.0 h
std::string readable_percent(double percent);  // 83%; <1% for what rounds to 0 and is not

/// `part` of `whole` in percent; 0 of nothing.
double percent_of(double part, double whole);

/// `sum` for each of `n`; 0 for none.
double mean_of(double sum, double n);

}  // namespace detail
}  // namespace Grappa
