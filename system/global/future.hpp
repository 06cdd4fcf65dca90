#pragma once

/// Futures: delegates whose answers are read later.
///
/// A future holds the answer of a call. A task can have any number of pending calls. Their requests
/// are flushed together when the task waits for the first answer, so N reads take about one round
/// trip. Each future must be read or dropped before its destruction, because a task that forgets an
/// answer does not know whether the call is complete. Until the answer arrives, the call is open
/// work of the scope in which it was made, even after drop(). Work of the body joins that scope. If
/// this core is the owner, the body runs before call_future() returns.
///
/// Two futures of one task may take effect in any order. From: task or handler. Messages: 2, or 0
/// if this core is the owner.

#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate_body.hpp"
#include "system/global/reply.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/wire.hpp"
#include "system/net/topology.hpp"

#include <cstdint>

namespace Grappa {

template <class R>
class Future;

namespace detail {

/// Starts `body()` on core `dest` and returns the future of its answer.
template <class R, class F>
Future<R> start_future(int64_t dest, F body);

}  // namespace detail

/// A future is empty or holds the answer of a delegate. A future can be moved but not copied.
template <class R>
class Future {
 public:
  /// Creates an empty future.
  Future() = default;

  Future(Future&& other) noexcept { take(&other); }
  Future& operator=(Future&& other) noexcept {
    if (this == &other) return *this;
    check_read("was assigned");
    take(&other);
    return *this;
  }
  ~Future() { check_read("was destroyed"); }

  /// Returns the answer, also repeatedly. At most one task may wait. Suspends: until it arrives.
  R get() {
    unread_ = false;
    if (slot_.expected()) {
      GRAPPA_CHECK(!slot_.has_waiter())
          << "two tasks wait for one future: use a future for each task";
      slot_.wait(owner_);
    }
    GRAPPA_CHECK(slot_.answered())
        << "get() of an empty future: it was moved from, dropped, or never assigned";
    return slot_.answer().get();
  }

  /// True if get() would not suspend. ready() does not flush the request, which is sent after at
  /// most flush_age_us. A task without other work should call get().
  bool ready() const { return slot_.answered(); }

  /// Discards the answer. The call still takes effect.
  void drop() {
    slot_.drop();
    unread_ = false;
  }

 private:
  template <class Answer, class F>
  friend Future<Answer> detail::start_future(int64_t dest, F body);

  void take(Future* other) {
    slot_.take(&other->slot_);
    owner_ = other->owner_;
    unread_ = other->unread_;
    other->unread_ = false;
  }

  void check_read(const char* what) {
    GRAPPA_CHECK(!unread_) << "a future " << what
                           << " before its answer was read: call get(), or drop() if the answer is "
                              "not needed";
    slot_.drop();
  }

  detail::ReplySlotFor<R> slot_;
  Core owner_ = 0;
  bool unread_ = false;
};

template <class R, class F>
Future<R> detail::start_future(int64_t dest, F body) {
  Future<R> future;
  future.owner_ = checked_core(dest);
  future.unread_ = true;
  if (dest == the_running_core) {
    future.slot_.fill_here(body);
  } else {
    start(&future.slot_, dest, body);
  }
  return future;
}

namespace delegate {

using Grappa::Future;

/// Starts `body()` on core `dest`. Suspends: while no message buffer is free; on this core, if the
/// body does.
template <class F>
Future<typename detail::call_result<F>::type> call_future(int64_t dest, F body) {
  typedef typename detail::call_result<F>::type R;
  static_assert(detail::WireSafe<F>::value && detail::CanAnswer<R>::value, "");
  detail::check_closure(body);
  return detail::start_future<R>(dest, body);
}

/// Starts `body(object)` at the owner of `address`, with the object by reference or by pointer.
/// Suspends: as call_future(dest, body).
template <class T, class F>
Future<typename detail::result_at<T, F>::type> call_future(GlobalAddress<T> address, F body) {
  typedef typename detail::result_at<T, F>::type R;
  static_assert(detail::WireSafe<F>::value && detail::CanAnswer<R>::value, "");
  detail::check_closure(body);
  detail::check_access(address.core(), address.pointer());
  return detail::start_future<R>(address.core(), detail::AtObject<T, F>(address.pointer(), body));
}

/// Starts a read of the word. Suspends: while no message buffer is free.
template <class T>
Future<T> read_future(GlobalAddress<T> address) {
  return call_future(address, detail::Read());
}

}  // namespace delegate
}  // namespace Grappa
