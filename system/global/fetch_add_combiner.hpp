#pragma once

/// Fetch-and-add on a word of any core, with combining of the increments of one core.
///
/// Each core has its own combiner for the same word. If no batch is in flight, a task sends its own
/// increment immediately; otherwise the task joins the next batch. One task of the next batch sends
/// the sum of its increments as soon as the previous batch has returned or `threshold` tasks have
/// joined. A batch costs two messages, and no task waits for a batch to fill. (Flat combining:
/// B. Holt et al., "Flat Combining Synchronized Global Data Structures", PGAS 2013.)
///
/// Each call returns the value of the word before its own increment, as delegate::fetch_and_add
/// does: the tasks of a batch divide the added range among themselves. Other delegates may change
/// the word concurrently. If this core owns the word, no message is sent and nothing is combined.
/// Invariant: a task waits in gathered_ only while a batch is in flight.

#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/net/topology.hpp"
#include "system/tasking/wait_queue.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// Counts `n` additions made by one delegate.
void count_combined(int64_t n);

}  // namespace detail

namespace delegate {

/// T: the type of the word; U: the type of the increments.
template <class T, class U>
class FetchAddCombiner {
 public:
  /// `initial` is the neutral element of the addition: zero, as a U.
  FetchAddCombiner(GlobalAddress<T> target, int64_t threshold, U initial = U())
      : target_(target), threshold_(threshold), initial_(initial) {
    GRAPPA_CHECK(threshold > 0) << "FetchAddCombiner: invalid threshold " << threshold
                                << ", expected 1 or more";
  }
  FetchAddCombiner(const FetchAddCombiner&) = delete;
  FetchAddCombiner& operator=(const FetchAddCombiner&) = delete;

  /// Adds `change` and returns the old value. From: task or handler. Suspends: unless this core
  /// owns the word. Messages: 2 for a batch.
  T fetch_and_add(U change);

  /// Announces that this task will soon call fetch_and_add(). While announced calls are missing,
  /// the task that starts a batch yields once before it sends.
  void promise() { ++promised_; }

 private:
  struct Addition : detail::Waiter {
    explicit Addition(U its_change) : change(its_change), before() {}
    U change;
    T before;
    bool sets_out = false;  // true if the task was woken to send a batch
  };

  typedef detail::WaitQueue<Addition> Batch;

  T set_out(U change);
  void gather(Addition* addition);
  void start_next();

  const GlobalAddress<T> target_;
  const int64_t threshold_;
  const U initial_;
  Batch gathered_;
  int64_t count_ = 0;      // in gathered_
  int64_t under_way_ = 0;  // tasks that send a batch, or have been woken to send one
  int64_t promised_ = 0;
};

template <class T, class U>
T FetchAddCombiner<T, U>::fetch_and_add(U change) {
  if (promised_ > 0) --promised_;
  if (target_.core() == detail::the_running_core) return delegate::fetch_and_add(target_, change);
  if (under_way_ == 0) {
    ++under_way_;
    if (promised_ > 0 && threshold_ > 1) yield();
    return set_out(change);
  }
  if (count_ + 1 >= threshold_) {
    ++under_way_;
    return set_out(change);
  }
  Addition self(change);
  gather(&self);
  return self.sets_out ? set_out(change) : self.before;
}

/// Joins the next batch and waits for its result.
template <class T, class U>
void FetchAddCombiner<T, U>::gather(Addition* addition) {
  ++count_;
  gathered_.suspend(addition, detail::WaitReason(detail::WaitReason::Kind::Delegate,
                                                 static_cast<uint64_t>(target_.core())));
}

/// Sends the sum of the caller's and all gathered increments. The caller is counted in under_way_.
template <class T, class U>
T FetchAddCombiner<T, U>::set_out(U change) {
  Batch batch;
  U sum = initial_;
  sum += change;
  while (!gathered_.empty()) {
    sum += gathered_.front().change;
    batch.push(gathered_.pop());
  }
  detail::count_combined(count_ + 1);
  count_ = 0;
  T next = delegate::fetch_and_add(target_, sum);
  while (!batch.empty()) {
    batch.front().before = next;
    next += batch.front().change;
    batch.wake_front();
  }
  --under_way_;
  start_next();
  return next;
}

/// If no batch is in flight, wakes the first gathered task to send the next batch.
template <class T, class U>
void FetchAddCombiner<T, U>::start_next() {
  if (under_way_ != 0 || gathered_.empty()) return;
  ++under_way_;
  --count_;
  gathered_.front().sets_out = true;
  gathered_.wake_front();
}

}  // namespace delegate

using delegate::FetchAddCombiner;

}  // namespace Grappa
