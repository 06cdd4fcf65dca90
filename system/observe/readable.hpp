#pragma once

/// Numbers formatted for users: few digits, and a unit prefix.

#include <string>

namespace Grappa {
namespace detail {

std::string readable_count(double count);      // 14.2 M; 950; 7.0 k
std::string readable_mean(double mean);        // 14.2 M; with a decimal below 10: 2.5
std::string readable_bytes(double bytes);      // 2.1 GB, where 1 GB is 1,000,000,000 bytes
std::string readable_rate(double per_second);  // 14.2 M/s
std::string readable_seconds(double seconds);  // 3.21 s; 12.3 ms; 4.5 min; 3.0 h
std::string readable_wait(double seconds);     // 4 s; 12 min; 3 h; rounded up
std::string readable_percent(double percent);  // 83%; <1% for a small percentage above 0

}  // namespace detail
}  // namespace Grappa
