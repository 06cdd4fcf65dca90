#pragma once

/// A proxy for pushes and pops at the same end, which match each other on their core.
///
/// A pop takes the value of the latest push that waits in its proxy, and a push passes its value to
/// the latest waiting pop. The push and the pop are adjacent in the order of all operations, and
/// neither of them is committed. A request of another kind disables matching (do_not_match): it may
/// be the latest request in the proxy, and only the latest request can be removed. Invariant: while
/// matching is enabled, either only pushes wait or only pops.

#include "structures/detail/element.hpp"
#include "structures/flat_combiner.hpp"
#include "structures/options.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

template <class T>
class MatchingProxy : public FCProxy {
 public:
  void push(const T& value) {
    check_open();
    if (!gave_to_pop(value)) wait();
  }
  void push_async(const T& value) {
    check_open();
    if (!gave_to_pop(value)) complete_in_scope();
  }

  bool try_pop(T* value) {
    check_open();
    if (n_pushed_ != 0 && match_) {
      *value = values_[--n_pushed_];
      wake_last();
      return true;
    }
    bool found = false;
    pops_[n_popped_++] = {value, &found};
    wait();
    return found;
  }

 protected:
  /// A request that waits for an element.
  struct Taker {
    T* value;
    bool* found;

    void answer(const T& taken) const {
      *value = taken;
      *found = true;
    }
  };

  void do_not_match() { match_ = false; }

  int64_t n_pushed_ = 0;
  int64_t n_popped_ = 0;
  RawElements<T, kProxyRequests> values_;  // pushed values, then space for popped values
  Taker pops_[kProxyRequests];

 private:
  // Returns false if the push waits.
  bool gave_to_pop(const T& value) {
    if (n_popped_ == 0 || !match_) {
      values_.set(n_pushed_++, value);
      return false;
    }
    pops_[--n_popped_].answer(value);
    wake_last();
    return true;
  }

  bool match_ = true;
};

/// One combiner for pushes and pops, so that they match.
template <class Proxy, class Store>
class MatchingCombiner {
 public:
  explicit MatchingCombiner(Store* store) : both_(store) {}
  FlatCombiner<Proxy>& pushes() { return both_; }
  FlatCombiner<Proxy>& pops() { return both_; }

 private:
  FlatCombiner<Proxy> both_;
};

}  // namespace detail
}  // namespace Grappa
