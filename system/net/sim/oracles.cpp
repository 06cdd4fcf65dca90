/// What must hold in each simulation: cores make progress or end, each message is received, and
/// each buffer is given back. (Cluster::receive checks that messages arrive once and in order,
/// SimTime that a core does not change or send a buffer in transit.)

#include "system/net/sim/cluster.hpp"

namespace Grappa::detail {
namespace {

/// A simulation stands still after this many windows without a message and without work, if they
/// also take that long. Cores that wait for a slow core need few windows, and those that vote on a
/// deadlock fewer than ten for each vote. A core that polls until it may start more tasks
/// (WorkerLimit) needs up to a window for each microsecond, but for at most a second.
constexpr uint64_t kWindowsWithoutProgress = 250000;
constexpr uint64_t kNsWithoutProgress = 2500000000;

}  // namespace

/// Returns false after many windows in which no core has done more than to poll. `now_ns` is the
/// least clock of a core.
bool Cluster::makes_progress(uint64_t now_ns) {
  uint64_t progress = 0;
  for (int k = 0; k < cores; ++k) {
    progress += cores_[k].sent + cores_[k].received + cores_[k].work;
  }
  if (progress != progress_) {
    progress_ = progress;
    progress_ns_ = now_ns;
    windows_since_progress_ = 0;
  }
  return ++windows_since_progress_ < kWindowsWithoutProgress ||
         now_ns < progress_ns_ + kNsWithoutProgress;
}

uint64_t Cluster::messages_left() const {
  uint64_t left = 0;
  for (int k = 0; k < cores; ++k) left += cores_[k].sent - cores_[k].received;
  return left;
}

uint64_t Cluster::buffers_lost() const {
  uint64_t lost = 0;
  for (int k = 0; k < cores; ++k) {
    lost += cores_[k].in_transit;
    for (const auto& returns : cores_[k].returns) {
      for (SimReturn* at = returns.first; at != nullptr; at = at->after) --lost;
    }
  }
  for (size_t k = 0; k < pending_size_; ++k) lost -= pending_[k]->is_message() ? 0 : 1;
  return lost;
}

}  // namespace Grappa::detail
