#include "system/report/readable.hpp"

#include "system/observe/progress_line.hpp"

#include <cctype>
#include <cstdio>

namespace Grappa {
namespace detail {
namespace {

std::string with_decimals(int decimals, double number, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f%s", decimals, number, unit);
  return text;
}

}  // namespace

std::string readable_count(double count) { return short_number(count); }

std::string readable_mean(double mean) {
  return mean < 9.95 ? with_decimals(1, mean, "") : short_number(mean);
}

std::string readable_bytes(double bytes) {
  const std::string number = short_number(bytes);
  const bool has_prefix = std::isdigit(static_cast<unsigned char>(number.back())) == 0;
  return number + (has_prefix ? "B" : " B");
}

std::string readable_rate(double per_second) { return readable_mean(per_second) + "/s"; }

std::string readable_seconds(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 0.9995) return with_decimals(1, 1000 * seconds, " ms");
  if (seconds < 2 * kMinute) return with_decimals(2, seconds, " s");
  if (seconds < 2 * kHour) return with_decimals(1, seconds / kMinute, " min");
  return with_decimals(1, seconds / kHour, " h");
}

std::string readable_percent(double percent) {
  return percent > 0 && percent <= 0.5 ? "<1%" : with_decimals(0, percent, "%");
}

double percent_of(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

double mean_of(double sum, double n) { return n > 0 ? sum / n : 0; }

}  // namespace detail
}  // namespace Grappa
