#include "system/observe/readable.hpp"

#include <cctype>
#include <cmath>
#include <cstdio>

namespace Grappa::detail {
namespace {

constexpr double kMinute = 60;
constexpr double kHour = 60 * kMinute;

std::string with_decimals(int decimals, double number, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f%s", decimals, number, unit);
  return text;
}

}  // namespace

std::string readable_count(double count) {
  static const char* const kPrefixes[] = {" k", " M", " G", " T", " P"};
  if (count < 999.5) return with_decimals(0, count, "");
  size_t prefix = 0;
  for (count /= 1000; count >= 999.95 && prefix < 4; ++prefix) count /= 1000;
  return with_decimals(1, count, kPrefixes[prefix]);
}

std::string readable_mean(double mean) {
  return mean < 9.95 ? with_decimals(1, mean, "") : readable_count(mean);
}

std::string readable_bytes(double bytes) {
  const std::string number = readable_count(bytes);
  const bool has_prefix = std::isdigit(static_cast<unsigned char>(number.back())) == 0;
  return number + (has_prefix ? "B" : " B");
}

std::string readable_rate(double per_second) { return readable_mean(per_second) + "/s"; }

std::string readable_seconds(double seconds) {
  if (seconds < 0.9995) return with_decimals(1, 1000 * seconds, " ms");
  if (seconds < 2 * kMinute) return with_decimals(2, seconds, " s");
  if (seconds < 2 * kHour) return with_decimals(1, seconds / kMinute, " min");
  return with_decimals(1, seconds / kHour, " h");
}

std::string readable_wait(double seconds) {
  if (seconds <= 2 * kMinute) return with_decimals(0, std::ceil(seconds), " s");
  if (seconds <= 2 * kHour) return with_decimals(0, std::ceil(seconds / kMinute), " min");
  return with_decimals(0, std::ceil(seconds / kHour), " h");
}

std::string readable_percent(double percent) {
  return percent > 0 && percent <= 0.5 ? "<1%" : with_decimals(0, percent, "%");
}

}  // namespace Grappa::detail
