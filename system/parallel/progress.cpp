#include "system/parallel/progress.hpp"

#include "system/observe/clock.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace Grappa {
namespace {

constexpr int64_t kMostBetweenLooks = 4096;  // a look at the clock costs as much as a few pieces
constexpr int64_t kLooksPerShare = 1000;     // used if pieces take long

bool one_is_shown = false;

void write_to_terminal(const std::string& text) {
  if (text.empty()) return;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(const std::string& step, int64_t all, const std::string& unit, int64_t share) {
  if (mycore() != 0 || one_is_shown || !detail::stderr_is_terminal()) return;
  if (share < 0) share = (all + cores() - 1) / cores();
  if (share > 0) pieces_per_own_ = static_cast<double>(all) / static_cast<double>(share);
  between_looks_ = std::min(std::max<int64_t>(share / kLooksPerShare, 1), kMostBetweenLooks);
  next_look_ = between_looks_;
  one_is_shown = true;
  line_.reset(new detail::ProgressLine(step, static_cast<double>(all), unit, walltime()));
}

Progress::~Progress() {
  if (line_ == nullptr) return;
  write_to_terminal(line_->wipe());
  one_is_shown = false;
}

void Progress::look() {
  next_look_ = done_ + between_looks_;
  write_to_terminal(line_->update(static_cast<double>(done_) * pieces_per_own_, walltime()));
}

namespace detail {

bool stderr_is_terminal() {
  const char* said = std::getenv("GRAPPA_TERMINAL");
  return (said != nullptr && std::strcmp(said, "1") == 0) || ::isatty(STDERR_FILENO) != 0;
}

}  // namespace detail
}  // namespace Grappa
