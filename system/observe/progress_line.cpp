#include "system/observe/progress_line.hpp"

#include "system/observe/readable.hpp"

#include <algorithm>
#include <cmath>

namespace Grappa::detail {
namespace {

// kBegin moves to the start of the line. kErase erases the rest of an earlier, longer line.
constexpr char kBegin[] = "\r";
constexpr char kErase[] = "\033[K";

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
  std::string line = step_ + ": " + std::to_string(static_cast<int>(percent)) + "%  " +
                     readable_count(rate) + " " + unit_ + "/s";
  if (rate > 0) line += "  " + readable_wait((all_ - done) / rate) + " left";
  return line;
}

}  // namespace Grappa::detail
