#include "system/observe/progress_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace Grappa {
namespace detail {
namespace {

// kBegin moves to the start of the line. kErase erases the rest of an earlier, longer line.
constexpr char kBegin[] = "\r";
constexpr char kErase[] = "\033[K";

constexpr double kMinute = 60;
constexpr double kHour = 60 * kMinute;

std::string rounded(double number, const char* unit) {
  char text[40];
  std::snprintf(text, sizeof text, "%.0f%s", number, unit);
  return text;
}

}  // namespace

constexpr double ProgressLine::kSilentSeconds;
constexpr double ProgressLine::kLinesPerSecond;

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
  std::string line =
      step_ + ": " + rounded(percent, "%") + "  " + short_number(rate) + " " + unit_ + "/s";
  if (rate > 0) line += "  " + short_duration((all_ - done) / rate) + " left";
  return line;
}

std::string short_number(double number) {
  static const char kPrefixes[] = "kMGTP";
  if (number < 999.5) return rounded(number, "");
  size_t prefix = 0;
  for (number /= 1000; number >= 999.95 && prefix + 2 < sizeof kPrefixes; ++prefix) number /= 1000;
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %c", number, kPrefixes[prefix]);
  return text;
}

std::string short_duration(double seconds) {
  if (seconds <= 2 * kMinute) return rounded(std::ceil(seconds), " s");
  if (seconds <= 2 * kHour) return rounded(std::ceil(seconds / kMinute), " min");
  return rounded(std::ceil(seconds / kHour), " h");
}

}  // namespace detail
}  // namespace Grappa
