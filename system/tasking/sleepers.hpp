#pragma once

/// Workers that wait for a time, ordered by deadline, then by arrival.

#include "system/base/check.hpp"
#include "system/tasking/worker.hpp"

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace Grappa {
namespace detail {

class Sleepers {
 public:
  bool empty() const { return queue_.empty(); }

  void add(uint64_t deadline_ns, Worker* worker) {
    GRAPPA_DCHECK(worker != nullptr) << "the root stack cannot sleep";
    queue_.push(Sleeper{deadline_ns, arrivals_++, worker});
  }

  /// Removes and returns the worker with the earliest deadline; null if no deadline has passed.
  Worker* next_due(uint64_t now_ns) {
    if (queue_.empty() || queue_.top().deadline_ns > now_ns) return nullptr;
    Worker* worker = queue_.top().worker;
    queue_.pop();
    return worker;
  }

 private:
  struct Sleeper {
    uint64_t deadline_ns;
    uint64_t arrival;
    Worker* worker;

    bool operator<(const Sleeper& other) const {  // the queue's top is its greatest
      return std::tie(deadline_ns, arrival) > std::tie(other.deadline_ns, other.arrival);
    }
  };

  std::priority_queue<Sleeper> queue_;
  uint64_t arrivals_ = 0;
};

}  // namespace detail
}  // namespace Grappa
