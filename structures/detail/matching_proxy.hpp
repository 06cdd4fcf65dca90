#pragma once

/// The base of the proxies of GlobalStack and GlobalVector.

#include "structures/detail/element_store.hpp"
#include "structures/flat_combiner.hpp"

#include <cstdint>

namespace Grappa { namespace detail {

/// A proxy for pushes and pops at the same end. A pop takes the value of the latest push that waits
/// in the proxy, and a push passes its value to the latest waiting pop. Such a matched pair is not
/// committed. A request of another kind disables matching, since only the latest request can be
/// removed. Invariant: while matching is enabled, either only pushes or only pops wait.
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
    return wait_as(&pops_[n_popped_++], value);
  }

 protected:
  struct Taker {  // a request that waits for an element
    T* value;
    bool* found;

    void answer(const T& taken) const {
      *value = taken;
      *found = true;
    }
  };

  bool wait_as(Taker* taker, T* value) {
    bool found = false;
    *taker = {value, &found};
    wait();
    return found;
  }

  int64_t n_pushed_ = 0;
  int64_t n_popped_ = 0;
  RawElements<T, kProxyRequests> values_;  // pushed values, then space for popped values
  Taker pops_[kProxyRequests];
  bool match_ = true;

 private:
  // Passes the value to a waiting pop. If no pop waits, stores the value and returns false.
  bool gave_to_pop(const T& value) {
    if (n_popped_ == 0 || !match_) {
      values_.set(n_pushed_++, value);
      return false;
    }
    pops_[--n_popped_].answer(value);
    wake_last();
    return true;
  }
};

}}  // namespace Grappa::detail
