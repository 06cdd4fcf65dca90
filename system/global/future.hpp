#pragma once

/// Delegates that start now and are waited for when their answers are needed.
///
/// A future stands for the answer. One task can have any number of them under way: their requests
/// leave together when it waits for the first answer, and the other answers are there, or nearly,
/// when it gets to them, so that N reads cost about one round trip. Each must be read, or dropped,
/// before it goes out of scope: who forgets an answer has forgotten to look whether the call has
/// ended. A request is open work of the scope that it was made in until it has been answered, also
/// if it is dropped, and what its body starts joins that scope. If the owner is this core the body
/// runs at once, before the call returns, and sends nothing.
///
/// Two futures of one task may take effect in any order. From: task or handler. Messages: 2, or 0.

#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate_body.hpp"
#include "system/global/live_allocations.hpp"
#include "system/global/reply.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/wire_safe.hpp"
#include "system/net/topology.hpp"

#include <cstdint>

namespace Grappa {

template <class R>
class Future;

namespace delegate {

using Grappa::Future;

/// Starts `body()` on core `dest`. Suspends: while no message buffer is free; on this core, if the
/// body does.
template <class F>
Future<typename detail::call_result<F>::type> call_future(int64_t dest, F body);

/// Starts `body(object)` at the owner of `address`, with the object by reference or by pointer.
/// Suspends: as above.
template <class T, class F>
Future<typename detail::result_at<T, F>::type> call_future(GlobalAddress<T> address, F body);

/// Starts to read the word. Suspends: while no message buffer is free.
template <class T>
Future<T> read_future(GlobalAddress<T> address) {
  return call_future(address, detail::Read());
}

}  // namespace delegate

/// The answer of a delegate, or nothing. Can be moved but not copied.
template <class R>
class Future {
 public:
  /// Nothing.
  Future() = default;

  Future(Future&& other) noexcept { take(&other); }
  Future& operator=(Future&& other) noexcept {
    if (this == &other) return *this;
    check_read("is assigned to");
    take(&other);
    return *this;
  }
  ~Future() { check_read("goes out of scope"); }

  /// The answer. May be called again. One task waits at a time. Suspends: until it is here.
  R get();

  /// True if get() would not suspend. It does not hurry the request, which leaves at the latest
  /// after flush_age_us: a task with nothing else to do had better call get().
  bool ready() const { return slot_.answered(); }

  /// The answer does not matter; the call takes effect all the same.
  void drop() {
    slot_.drop();
    unread_ = false;
  }

 private:
  template <class F>
  friend Future<typename detail::call_result<F>::type> delegate::call_future(int64_t, F);
  template <class T, class F>
  friend Future<typename detail::result_at<T, F>::type> delegate::call_future(GlobalAddress<T>, F);

  explicit Future(Core owner) : owner_(owner), unread_(true) {}

  void take(Future* other) {
    slot_.take(&other->slot_);
    owner_ = other->owner_;
    unread_ = other->unread_;
    other->unread_ = false;
  }

  void check_read(const char* what) {
    GRAPPA_CHECK(!unread_) << "the future of a delegate " << what
                           << " though its answer has not been read: call get(), or drop() if the "
                              "answer does not matter";
    slot_.drop();
  }

  detail::ReplySlotFor<R> slot_;
  Core owner_ = 0;
  bool unread_ = false;
};

template <class R>
R Future<R>::get() {
  unread_ = false;
  if (slot_.expected()) {
    GRAPPA_CHECK(!slot_.awaited()) << "two tasks wait for one future: give each one of its own";
    slot_.wait(owner_);
  }
  GRAPPA_CHECK(slot_.answered())
      << "get() of a future that stands for no call: it was moved from, dropped, or never assigned";
  return slot_.answer().get();
}

template <class F>
Future<typename detail::call_result<F>::type> delegate::call_future(int64_t dest, F body) {
  typedef typename detail::call_result<F>::type R;
  static_assert(detail::WireSafe<F>::value && detail::CanAnswer<R>::value, "");
  detail::check_closure(body);
  Future<R> future(detail::checked_core(dest));
  if (dest == detail::the_running_core) {
    future.slot_.fill_here(body);
  } else {
    detail::start(&future.slot_, dest, body);
  }
  return future;
}

template <class T, class F>
Future<typename detail::result_at<T, F>::type> delegate::call_future(GlobalAddress<T> address,
                                                                     F body) {
  typedef typename detail::result_at<T, F>::type R;
  static_assert(detail::WireSafe<F>::value && detail::CanAnswer<R>::value, "");
  detail::check_closure(body);
  detail::check_access(address.core(), address.pointer());
  Future<R> future(address.core());
  if (future.owner_ == detail::the_running_core) {
    detail::AtObject<T, F> here(address.pointer(), body);
    future.slot_.fill_here(here);
  } else {
    detail::start_at(&future.slot_, future.owner_, address.pointer(), body);
  }
  return future;
}

}  // namespace Grappa
