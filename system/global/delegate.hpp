#pragma once

/// Delegates: closures that run at the owner of the data and return an answer.
///
/// A blocking delegate returns when its effect is globally visible. The delegates of a task take
/// effect in program order, and all tasks observe the same order of effects. A body must be
/// trivially copyable and may suspend at the owner. The return value must fit in a message buffer.
/// Work that a body starts belongs to the caller's scope. From: task or handler. Suspends: until
/// another core has answered. At this core: while the body waits, and in a task while a word is
/// fetched from memory. Messages: 2, or 0 at this core.
///
/// An async delegate, such as `call<async>`, returns as soon as the message is buffered, and is
/// open work of the caller's scope. Async delegates to this core also go through a message buffer.
/// Two async delegates with different bodies may take effect in any order. For example, an
/// increment by 1 and an increment by 2 have different bodies. From: any. Suspends: in a task while
/// no message buffer is free, or when a buffer has just filled up and a network poll is due.
/// Messages: 1, and at most 1 completion for each received run.
///
/// A future is a delegate whose answer is read later. A task can have any number of pending calls,
/// which may take effect in any order. Their requests are flushed together when the task waits for
/// the first answer, so N reads take about one round trip. Until the answer arrives, the call is
/// open work of the caller's scope, even after drop(). If this core is the owner, the body runs
/// before call_future() returns. From: task or handler. Messages: 2, or 0 at this core.

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate_body.hpp"
#include "system/global/local_access.hpp"
#include "system/global/reply.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/wire.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Grappa {

template <class R>
class Future;

namespace detail {

/// The slow path of on_word(). It is a separate function, so the fast path needs no stack frame.
template <class T, class F>
GRAPPA_NOINLINE typename result_at<T, F>::type on_word_slow(Core owner, T* word, F body) {
  check_access(owner, word);
  if (owner != the_running_core) {
    return request<typename result_at<T, F>::type>(owner, AtObject<T, F>(word, body));
  }
  the_local_access.prepare(word);
  return call_with(body, word);
}

/// A delegate whose body only accesses the word at its address.
template <class T, class F>
typename result_at<T, F>::type on_word(GlobalAddress<T> address, F body) {
  static_assert(CanAnswer<typename result_at<T, F>::type>::value, "");
  const Core owner = address.core();
  T* const word = address.pointer();
  if (GRAPPA_LIKELY(owner == the_direct_core && the_local_access.plain())) {
    return call_with(body, word);
  }
  return on_word_slow(owner, word, body);
}

/// A delegate to another core, or to any core in checked mode.
template <class F>
GRAPPA_NOINLINE typename call_result<F>::type call_elsewhere(int64_t dest, F body) {
  typedef typename call_result<F>::type R;
  static_assert(WireSafe<F>::value && CanAnswer<R>::value, "");
  check_call(dest, body);
  if (GRAPPA_UNLIKELY(dest == the_running_core)) return call_here(body);
  return request<R>(dest, body);
}

/// The reply slot of a Future. payload.hpp has the slot of other answers.
template <class R, bool = CopiesAsBytes<R>::value>
struct FutureSlot {
  typedef ReplySlotFor<R> type;
};
template <class R>
struct FutureSlot<R, false>;

/// Returns the slot of a future whose call is about to start on core `owner`.
template <class R>
typename FutureSlot<R>::type* begin_future(Future<R>* future, Core owner);

/// These functions copy an element that lies on several cores part by part, not atomically.
void read_parts(void* to, uint64_t raw_bits, size_t bytes);
void write_parts(uint64_t raw_bits, const void* from, size_t bytes);

template <class T>
GRAPPA_NOINLINE T read_crossing(GlobalAddress<T> address) {
  alignas(T) unsigned char copy[sizeof(T)];
  read_parts(copy, address.raw_bits(), sizeof(T));
  return *reinterpret_cast<const T*>(copy);
}

/// An async call at an address, for checked mode.
template <class Call>
struct CallAt {
  int64_t owner;
  const Call& call;
};

template <class Call>
void check_closure(const CallAt<Call>& at) {
  check_call(at.owner, at.call);
}

template <SyncMode S>
using IfAsync = typename std::enable_if<S == SyncMode::Async>::type;

}  // namespace detail

/// A future is empty, or holds the answer of a delegate. A future must be read or dropped before
/// its destruction, because its task otherwise does not know whether the call is complete.
template <class R>
class Future {
 public:
  Future() = default;
  Future(Future&& other) noexcept { take(&other); }
  Future& operator=(Future&& other) noexcept {
    if (this == &other) return *this;
    check_read("was assigned");
    take(&other);
    return *this;
  }
  ~Future() { check_read("was destroyed"); }

  /// Returns the answer on every call. At most one task may wait. Suspends: until it has arrived.
  R get() {
    wait();
    return slot_.answer().get();
  }

  /// As get(), but does not copy the answer. The answer need not be read afterwards. Suspends: as
  /// get().
  void wait() {
    unread_ = false;
    if (GRAPPA_LIKELY(slot_.answered())) return;
    if (slot_.expected()) {
      GRAPPA_CHECK(!slot_.has_waiter())
          << "two tasks wait for one future: use a future for each task";
      slot_.wait(owner_);
    }
    GRAPPA_CHECK(slot_.answered())
        << "get() or wait() of an empty future: it was moved from, dropped, or never assigned";
  }

  /// True if get() would not suspend. Unlike get(), ready() does not flush the request.
  bool ready() const { return slot_.answered(); }

  /// Discards the answer. The call still takes effect.
  void drop() {
    slot_.drop();
    unread_ = false;
  }

 private:
  friend typename detail::FutureSlot<R>::type* detail::begin_future<R>(Future* future, Core owner);

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

  typename detail::FutureSlot<R>::type slot_;
  Core owner_ = 0;
  bool unread_ = false;
};

namespace detail {

template <class R>
typename FutureSlot<R>::type* begin_future(Future<R>* future, Core owner) {
  future->owner_ = owner;
  future->unread_ = true;
  return &future->slot_;
}

template <class F>
Future<typename call_result<F>::type> start_future(int64_t dest, F body) {
  typedef typename call_result<F>::type R;
  static_assert(WireSafe<F>::value && CanAnswer<R>::value, "");
  check_call(dest, body);
  Future<R> future;
  ReplySlotFor<R>* const slot = begin_future(&future, checked_core(dest));
  if (dest == the_running_core) {
    slot->fill_here(body);
  } else {
    start(slot, dest, body);
  }
  return future;
}

}  // namespace detail

namespace delegate {

/// Runs `body()` on core `dest` and returns its result.
template <class F>
typename detail::call_result<F>::type call(int64_t dest, F body) {
  if (dest == detail::the_direct_core) return detail::call_here(body);
  return detail::call_elsewhere(dest, body);
}

/// Runs `body(object)` at the owner of `address`. The body takes a reference or a pointer.
template <class T, class F>
typename detail::result_at<T, F>::type call(GlobalAddress<T> address, F body) {
  const Core owner = address.core();
  if (owner == detail::the_direct_core) return detail::call_with(body, address.pointer());
  return detail::call_elsewhere(owner, detail::AtObject<T, F>(address.pointer(), body));
}

/// Runs `body` on core `dest` while it holds a lock there. `mutex()` also runs on core `dest` and
/// returns a pointer or a reference to the lock: a Mutex or another type with lock() and unlock().
/// The body takes no argument, or the lock by pointer or by reference. Both closures are sent.
template <class M, class F>
typename detail::LockedCall<M, F>::Result call(int64_t dest, M mutex, F body) {
  detail::check_closure(mutex);
  detail::check_closure(body);
  return call(dest, unchecked(detail::LockedBody<M, F>(mutex, body)));
}

/// Returns the value at `address`. The element may cross the end of a block.
template <class T>
T read(GlobalAddress<T> address) {
  if (address.crosses_blocks()) return detail::read_crossing(address);
  return detail::on_word(address, detail::Read());
}

/// Assigns `value` at `address`. The element may cross the end of a block.
template <class T, class U>
void write(GlobalAddress<T> address, U value) {
  const detail::Assign<T> assign = {static_cast<T>(value)};
  if (address.crosses_blocks()) {
    return detail::write_parts(address.raw_bits(), &assign.value, sizeof(T));
  }
  detail::on_word(address, assign);
}

/// Adds `change` and returns the old value.
template <class T, class U>
GRAPPA_ALWAYS_INLINE T fetch_and_add(GlobalAddress<T> address, U change) {
  if (detail::known_one(change)) return detail::on_word(address, detail::FetchAndAddOne<T, U>());
  return detail::on_word(address, detail::FetchAndAdd<T, U>{change});
}

template <class T, class U>
GRAPPA_ALWAYS_INLINE void increment(GlobalAddress<T> address, U change) {
  if (detail::known_one(change)) return detail::on_word(address, detail::AddOne<T, U>());
  detail::on_word(address, detail::Add<T, U>{change});
}

/// If the old value equals `expected`, writes `value` and returns true. Otherwise returns false.
template <class T, class U, class V>
bool compare_and_swap(GlobalAddress<T> address, U expected, V value) {
  return detail::on_word(
      address, detail::CompareAndSwap<T>{static_cast<T>(expected), static_cast<T>(value)});
}

// Futures.

using Grappa::Future;

/// Starts `body()` on core `dest`. Suspends: while no buffer is free. On this core: as the body.
template <class F>
Future<typename detail::call_result<F>::type> call_future(int64_t dest, F body) {
  return detail::start_future(dest, body);
}

/// Starts `body(object)` at the owner of `address`. Suspends: as call_future(dest, body).
template <class T, class F>
Future<typename detail::result_at<T, F>::type> call_future(GlobalAddress<T> address, F body) {
  return detail::start_future(address.core(), detail::AtObject<T, F>(address.pointer(), body));
}

/// Starts a read of the word. Suspends: while no message buffer is free.
template <class T>
Future<T> read_future(GlobalAddress<T> address) {
  return call_future(address, detail::Read());
}

// The async forms. They discard the result of the body.

template <SyncMode S, class F>
detail::IfAsync<S> call(int64_t dest, F body) {
  detail::send_counted(dest, body, body);
}

template <SyncMode S, class T, class F>
detail::IfAsync<S> call(GlobalAddress<T> address, F body) {
  static_assert(detail::WireSafe<F>::value, "");
  typedef detail::AtObject<T, F> Call;
  const Core owner = address.core();
  const Call call(address.pointer(), body);
  detail::send_counted(owner, call, detail::CallAt<Call>{owner, call});
}

/// The handler on core `dest` waits for the lock; the caller does not.
template <SyncMode S, class M, class F, class = typename detail::LockedCall<M, F>::Result>
detail::IfAsync<S> call(int64_t dest, M mutex, F body) {
  detail::check_closure(mutex);
  detail::check_closure(body);
  call<S>(dest, unchecked(detail::LockedBody<M, F>(mutex, body)));
}

template <SyncMode S, class T, class U>
detail::IfAsync<S> write(GlobalAddress<T> address, U value) {
  call<S>(address, unchecked(detail::Assign<T>{static_cast<T>(value)}));
}

template <SyncMode S, class T, class U>
GRAPPA_ALWAYS_INLINE detail::IfAsync<S> increment(GlobalAddress<T> address, U change) {
  if (detail::known_one(change)) return call<S>(address, detail::AddOne<T, U>());
  call<S>(address, unchecked(detail::Add<T, U>{change}));
}

template <SyncMode S, class T, class U>
detail::IfAsync<S> fetch_and_add(GlobalAddress<T> address, U change) {
  increment<S>(address, change);
}

template <SyncMode S, class T, class U, class V>
detail::IfAsync<S> compare_and_swap(GlobalAddress<T> address, U expected, V value) {
  call<S>(address,
          unchecked(detail::CompareAndSwap<T>{static_cast<T>(expected), static_cast<T>(value)}));
}

// `call<blocking>` and the other blocking forms equal the forms without a mode.
#define GRAPPA_BLOCKING_FORM(name)                                          \
  template <SyncMode S, class... Args,                                      \
            class = typename std::enable_if<S == SyncMode::Blocking>::type> \
  auto name(Args... args)->decltype(delegate::name(args...)) {              \
    return delegate::name(args...);                                         \
  }
GRAPPA_BLOCKING_FORM(call)
GRAPPA_BLOCKING_FORM(read)
GRAPPA_BLOCKING_FORM(write)
GRAPPA_BLOCKING_FORM(increment)
GRAPPA_BLOCKING_FORM(fetch_and_add)
GRAPPA_BLOCKING_FORM(compare_and_swap)
#undef GRAPPA_BLOCKING_FORM

}  // namespace delegate
}  // namespace Grappa
