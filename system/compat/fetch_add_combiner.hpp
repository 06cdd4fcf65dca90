#pragma once

/// Fetch-and-add on a word of any core. Each core has a combiner for the word, which flat-combines
/// the increments of the core's tasks (flat_combiner.hpp). One task sends the sum of a batch, and
/// the tasks of the batch divide the added range. Other delegates may also change the word.

#include "structures/combining.hpp"
#include "structures/flat_combiner.hpp"
#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/net/topology.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

template <class T, class U>
class FetchAddProxy : public FCProxy {
 public:
  FetchAddProxy(GlobalAddress<T> target, int64_t threshold, U initial)
      : target_(target), threshold_(threshold), sum_(initial) {}

  T fetch_and_add(U change) {
    const U before_me = sum_;
    sum_ += change;
    wait();
    T before = before_;
    before += before_me;
    return before;
  }

  bool is_full() const override { return static_cast<int64_t>(waiting_requests()) >= threshold_; }

  void sync() override {
    structure_counters::additions += waiting_requests();
    ++structure_counters::addition_batches;
    before_ = delegate::fetch_and_add(target_, sum_);
  }

 private:
  const GlobalAddress<T> target_;
  const int64_t threshold_;
  U sum_;
  T before_ = T();  // the word before the batch
};

}  // namespace detail

namespace delegate {

/// T is the type of the word, and U is the type of the increments.
template <class T, class U>
class FetchAddCombiner {
 public:
  /// A batch is sent at once when it has `threshold` increments. `initial` must be the zero of U.
  FetchAddCombiner(GlobalAddress<T> target, int64_t threshold, U initial = U())
      : target_(target), combiner_(target, threshold, initial) {
    GRAPPA_CHECK(threshold > 0) << "FetchAddCombiner: invalid threshold " << threshold
                                << ", expected 1 or more";
  }

  /// Adds `change` and returns the value before this increment, like delegate::fetch_and_add. From:
  /// task or handler. Suspends: until the batch is committed, unless this core owns the word.
  /// Messages: 2 for a batch.
  T fetch_and_add(U change) {
    if (target_.core() == detail::the_running_core) return delegate::fetch_and_add(target_, change);
    return combiner_->fetch_and_add(change);
  }

  void promise() {}  // announces a call of fetch_and_add; has no effect

 private:
  const GlobalAddress<T> target_;
  FlatCombiner<detail::FetchAddProxy<T, U>> combiner_;
};

}  // namespace delegate

using delegate::FetchAddCombiner;

}  // namespace Grappa
