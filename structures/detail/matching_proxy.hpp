#pragma once

/// Pushes and pops at the same end, which satisfy each other where they meet.
///
/// A pop takes the value of the latest push that waits in its proxy, and a push gives its own to
/// the latest pop that does: the two follow one another in the order of all, where nothing can come
/// between them, and neither is committed. A request of another kind ends that (do_not_match): the
/// latest that waits may be that one, and only the latest can be taken out. Invariant: until then
/// only pushes wait, or only pops.

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
  RawElements<T, kProxyRequests> values_;  // pushed; behind them is room for those that are taken
  Taker pops_[kProxyRequests];

 private:
  // False if the push waits.
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

}  // namespace detail
}  // namespace Grappa
