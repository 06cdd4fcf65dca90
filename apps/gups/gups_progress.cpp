#include "apps/gups/gups_progress.hpp"

#include <cstdio>

namespace gups {

std::string Progress::done(int64_t count, double now) {
  done_ += count;
  if (now < next_) return "";
  next_ = now + kPeriod;
  char line[80];
  std::snprintf(line, sizeof line, "gups: %.0f %% after %.0f s\n",
                100 * double(done_) / double(all_), now - start_);
  return line;
}

}  // namespace gups
