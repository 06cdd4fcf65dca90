#include "system/observe/readable.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace Grappa::detail {
namespace {

// kBegin moves to the start of the line. kErase erases the rest of an earlier, longer line.
constexpr char kBegin[] = "\r";
constexpr char kErase[] = "\033[K";

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

ProgressLine::ProgressLine(const std::string& step, double all, const std::string& unit, double now)
    : step_(step), unit_(unit), all_(all), start_(now), next_(now + kSilentSeconds) {}

std::string ProgressLine::update(double done, double now) {
  if (now < next_) return "";
  next_ = now + 1 / kLinesPerSecond;
  shown_ = true;
  return kBegin + text(std::min(done, all_), now) + kErase;
}

std::string ProgressLine::wipe() {
  if (!shown_) return "";
  shown_ = false;
  return std::string(kBegin) + kErase;
}

std::string ProgressLine::text(double done, double now) const {
  const double rate = done / (now - start_);
  const double percent = all_ > 0 ? std::floor(100 * done / all_) : 100;
  std::string line = step_ + ": " + std::to_string(static_cast<int>(percent)) + "%  " +
                     readable_count(rate) + " " + unit_ + "/s";
  if (rate > 0) line += "  " + readable_wait((all_ - done) / rate) + " left";
  return line;
}

}  // namespace Grappa::detail
