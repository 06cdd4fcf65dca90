#pragma once

/// A counter anywhere whose increments combine on each core.
///
/// Each core has a combiner of its own for the same word. Many tasks of a core that add to the word
/// then cost two messages together: who finds nobody under way sets out at once with its own
/// increment; those who come meanwhile gather, and one of them takes the sum of all as soon as the
/// first is back, or as soon as there are `threshold` of them. So nobody ever waits for others to
/// come. (Flat combining: B. Holt et al., "Flat Combining Synchronized Global Data Structures",
/// PGAS 2013.)
///
/// Each call returns what the word was before its own increment, as delegate::fetch_and_add does:
/// those of a batch share out the range that the batch has added. Other ways to change the word may
/// be used beside. If the word belongs to this core nothing is combined, since nothing is sent.
/// Invariant: a task waits in gathered_ only while another is under way.

#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/net/topology.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/waiter_queue.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// `n` additions have been made with one delegate.
void count_combined(int64_t n);

}  // namespace detail

namespace delegate {

/// T: the word; U: what is added to it.
template <class T, class U>
class FetchAddCombiner {
 public:
  /// `initial` is what a sum begins with: nothing, as a U.
  FetchAddCombiner(GlobalAddress<T> target, int64_t threshold, U initial = U())
      : target_(target), threshold_(threshold), initial_(initial) {
    GRAPPA_CHECK(threshold > 0) << "a combiner that sends " << threshold
                                << " increments at a time: let it be 1 or more";
  }
  FetchAddCombiner(const FetchAddCombiner&) = delete;
  FetchAddCombiner& operator=(const FetchAddCombiner&) = delete;

  /// Adds `change` and returns the value before. From: task or handler. Suspends: unless this core
  /// owns the word. Messages: 2 for a batch.
  T fetch_and_add(U change);

  /// This task is going to call fetch_and_add() before long: who sets out lets the others run once
  /// if some have said so and not come yet.
  void promise() { ++promised_; }

 private:
  struct Addition : detail::Waiter {
    explicit Addition(U its_change) : change(its_change), before() {}
    U change;
    T before;
    bool sets_out = false;  // woken to, not with the result
  };

  typedef detail::WaiterQueue<Addition> Batch;

  T set_out(U change);
  void gather(Addition* addition);
  void start_next();

  const GlobalAddress<T> target_;
  const int64_t threshold_;
  const U initial_;
  Batch gathered_;
  int64_t count_ = 0;      // in gathered_
  int64_t under_way_ = 0;  // tasks that have set out, or have been woken to
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

/// Waits among those who gather.
template <class T, class U>
void FetchAddCombiner<T, U>::gather(Addition* addition) {
  ++count_;
  const detail::Scheduler::Waiting waiting(detail::scheduler(), detail::Scheduler::WaitFor::Others);
  gathered_.suspend(addition, detail::WaitReason(detail::WaitReason::Kind::Delegate,
                                                 static_cast<uint64_t>(target_.core())));
}

/// Adds for all who have gathered, and for the caller, who is counted as under way.
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

/// If nobody is under way, lets the first of those who have gathered set out.
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
