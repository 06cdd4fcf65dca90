#pragma once

/// Async delegates: the caller does not wait for the effect.
///
/// `call<async>` returns as soon as the message is buffered. The delegate is open work of the
/// caller's scope: the enclosing finish or blocking loop returns after the effect is visible.
/// Outside of all scopes, the caller cannot wait for the effect. Async delegates to this core also
/// go through a message buffer and run in batches. Two async delegates with different bodies may
/// take effect in any order. An increment by 1 and an increment by 2 have different bodies.
/// From: any. Suspends: in a task while no message buffer is free, or when a buffer has just filled
/// up and a network poll is due. Messages: 1, and at most 1 completion for each received run.
///
/// `call<blocking>` and the other blocking forms equal the forms without a mode.

#include "system/global/delegate.hpp"
#include "system/message/send.hpp"

namespace Grappa {
namespace detail {

/// The parts of an async call at an address that checked mode examines before the send.
template <class T, class F>
struct CallAt {
  Core owner;
  T* object;
  const F& body;
};

template <class T, class F>
void check_closure(const CallAt<T, F>& call) {
  check_closure(call.body);
  check_access(call.owner, call.object);
}

}  // namespace detail

namespace delegate {

/// Runs `body()` on core `dest` and discards its result.
template <SyncMode S, class F>
typename std::enable_if<S == SyncMode::Async>::type call(int64_t dest, F body) {
  Grappa::detail::send_counted(dest, body, body);
}

/// Runs `body(object)` at the owner of `address`, with the object by reference or by pointer.
template <SyncMode S, class T, class F>
typename std::enable_if<S == SyncMode::Async>::type call(GlobalAddress<T> address, F body) {
  static_assert(detail::WireSafe<F>::value, "");
  const Core owner = address.core();
  T* const object = address.pointer();
  Grappa::detail::send_counted(owner, Grappa::detail::AtObject<T, F>(object, body),
                               Grappa::detail::CallAt<T, F>{owner, object, body});
}

/// Runs `body` on core `dest` while it holds the lock that `mutex()` returns there (delegate.hpp).
/// The handler on core `dest` waits for the lock; the caller does not.
template <SyncMode S, class M, class F>
typename std::enable_if<S == SyncMode::Async>::type call(int64_t dest, M mutex, F body) {
  Grappa::detail::check_closure(mutex);
  Grappa::detail::check_closure(body);
  call<S>(dest, unchecked(Grappa::detail::LockedBody<M, F>(mutex, body)));
}

// The operations on words take effect and discard their results.

template <SyncMode S, class T, class U>
typename std::enable_if<S == SyncMode::Async>::type write(GlobalAddress<T> address, U value) {
  const T converted = static_cast<T>(value);
  call<S>(address, unchecked([converted](T& target) { target = converted; }));
}

template <SyncMode S, class T, class U>
GRAPPA_ALWAYS_INLINE typename std::enable_if<S == SyncMode::Async>::type increment(
    GlobalAddress<T> address, U change) {
  if (Grappa::detail::known_one(change)) return call<S>(address, Grappa::detail::AddOne<T, U>());
  call<S>(address, unchecked(Grappa::detail::Add<T, U>{change}));
}

template <SyncMode S, class T, class U>
typename std::enable_if<S == SyncMode::Async>::type fetch_and_add(GlobalAddress<T> address,
                                                                  U change) {
  increment<S>(address, change);
}

template <SyncMode S, class T, class U, class V>
typename std::enable_if<S == SyncMode::Async>::type compare_and_swap(GlobalAddress<T> address,
                                                                     U expected, V value) {
  const T old_value = static_cast<T>(expected);
  const T new_value = static_cast<T>(value);
  call<S>(address, unchecked([old_value, new_value](T& target) {
            if (target == old_value) target = new_value;
          }));
}

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
