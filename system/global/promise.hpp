#pragma once

/// Futures under the name and in the form that existing programs use.
///
/// A promise stays where it is; a value comes to it, from a call that it starts or from whoever
/// calls fill() on its core. Any number of tasks read the value, any number of times. Unlike a
/// Future it need not be read; a call that is under way when it goes out of scope takes effect all
/// the same, and the scope that it was started in waits for it. New code: future.hpp.

#include "system/base/check.hpp"
#include "system/global/reply.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/wire_safe.hpp"
#include "system/net/topology.hpp"
#include "system/tasking/wait_queue.hpp"

#include <type_traits>

namespace Grappa {
namespace delegate {

template <class R>
class Promise {
 public:
  Promise() = default;
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  ~Promise() { slot_.drop(); }

  /// Starts `body()` on core `dest`: what it returns becomes the value. On this core it runs at
  /// once. One call at a time. From: task or handler. Suspends: while no message buffer is free; on
  /// this core, if the body does. Messages: 2, or 0.
  template <class F>
  void call_async(int64_t dest, F body);

  /// Gives the value, and wakes those who wait for it. Does not switch.
  template <class V>
  void fill(const V& value);

  /// From: task or handler. Suspends: until there is a value.
  R get();

 private:
  void check_idle() const {
    GRAPPA_CHECK(!slot_.expected())
        << "a promise whose call is under way gets a second value: read the first one before";
  }

  detail::ReplySlotFor<R> slot_;
  detail::WaitQueue waiters_;  // all but one who waits for a call
  Core owner_ = 0;
};

template <class R>
template <class F>
void Promise<R>::call_async(int64_t dest, F body) {
  static_assert(detail::WireSafe<F>::value && detail::CanAnswer<R>::value, "");
  static_assert(std::is_convertible<typename detail::call_result<F>::type, R>::value,
                "the body of this call does not return what was promised");
  detail::check_closure(body);
  check_idle();
  detail::Returning<R, F> converted(body);
  if (dest == detail::the_running_core) {
    slot_.fill_here(converted);
  } else {
    owner_ = detail::checked_core(dest);
    detail::start(&slot_, dest, converted);
  }
  waiters_.wake_all();  // one of them now waits for the call
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
    if (slot_.expected() && !slot_.awaited()) {
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
