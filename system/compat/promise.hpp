#pragma once

/// Promises: the futures of the original Grappa. New code uses Future.
///
/// A promise cannot be moved. Its value comes from a call that the promise starts, or from fill()
/// on its core. Any number of tasks may read the value, any number of times. Unlike a Future, a
/// promise need not be read. If a promise is destroyed while its call is pending, the call still
/// takes effect, and the scope in which the call was started waits for it.

#include "system/base/check.hpp"
#include "system/global/reply.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/wire.hpp"
#include "system/net/topology.hpp"
#include "system/tasking/suspend.hpp"

#include <type_traits>

namespace Grappa {
namespace detail {

/// A body that runs on a core and converts its answer to R there.
template <class R, class F>
class Returning {
 public:
  explicit Returning(const F& body) : body_(body) {}
  R operator()() { return static_cast<R>(body_()); }

 private:
  [[no_unique_address]] F body_;
};

}  // namespace detail

namespace delegate {

template <class R>
class Promise {
 public:
  Promise() = default;
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  ~Promise() { slot_.drop(); }

  /// Starts `body()` on core `dest`. The result of the body becomes the value. If `dest` is this
  /// core, the body runs before call_async() returns. A promise can have one pending call. From:
  /// task or handler. Suspends: while no message buffer is free. If `dest` is this core: if the
  /// body suspends. Messages: 2, or 0 if `dest` is this core.
  template <class F>
  void call_async(int64_t dest, F body);

  /// Sets the value and wakes all waiting tasks.
  template <class V>
  void fill(const V& value);

  /// From: task or handler. Suspends: until the promise has a value.
  R get();

 private:
  void check_idle() const {
    GRAPPA_CHECK(!slot_.expected())
        << "a promise was assigned a second value while its call is pending: call get() before";
  }

  detail::ReplySlotFor<R> slot_;
  detail::WaitQueue<> waiters_;  // all waiting tasks, except the one that waits in slot_
  Core owner_ = 0;
};

template <class R>
template <class F>
void Promise<R>::call_async(int64_t dest, F body) {
  static_assert(detail::WireSafe<F>::value && detail::CanAnswer<R>::value, "");
  static_assert(std::is_convertible<typename detail::call_result<F>::type, R>::value,
                "the result type of this body does not convert to the type of the promise");
  detail::check_closure(body);
  check_idle();
  detail::Returning<R, F> converted(body);
  if (dest == detail::the_running_core) {
    slot_.fill_here(converted);
  } else {
    owner_ = detail::checked_core(dest);
    detail::start(&slot_, dest, converted);
  }
  waiters_.wake_all();  // one of these tasks then waits in slot_
}

template <class R>
template <class V>
void Promise<R>::fill(const V& value) {
  check_idle();
  const auto given = [&value]() -> R { return value; };
  slot_.fill_here(given);
  waiters_.wake_all();
}

template <class R>
R Promise<R>::get() {
  while (!slot_.answered()) {
    if (slot_.expected() && !slot_.has_waiter()) {
      slot_.wait(owner_);
      waiters_.wake_all();
    } else {
      waiters_.suspend();
    }
  }
  return slot_.answer().get();
}

}  // namespace delegate

using delegate::Promise;

}  // namespace Grappa
