#pragma once

/// Delegates: closures that run at the owner of the data and return an answer.
///
/// A blocking delegate returns when its effect is globally visible. The delegates of a task take
/// effect in program order, and all tasks observe the same order of effects. If the caller's core
/// is the owner, the body runs there without a message; otherwise the caller suspends. A body must
/// be trivially copyable and may suspend at the owner; its return value must fit in a message
/// buffer. Work that a body starts joins the caller's scope. future.hpp has calls whose answers are
/// read later. All blocking functions in namespace delegate: From: task or handler. Suspends: if
/// another core is the owner; at this core for a held lock, and in a task while an accessed word
/// arrives from memory. Messages: 2, or 0 at this core.
///
/// An async delegate, such as `call<async>`, returns as soon as the message is buffered. The
/// delegate is open work of the caller's scope: the enclosing finish or blocking loop returns after
/// the effect is visible. Outside of all scopes, the caller cannot wait for the effect. Async
/// delegates to this core also go through a message buffer and run in batches. Two async delegates
/// with different bodies may take effect in any order. An increment by 1 and an increment by 2 have
/// different bodies. From: any. Suspends: in a task while no message buffer is free, or when a
/// buffer has just filled up and a network poll is due. Messages: 1, and at most 1 completion for
/// each received run.

#include "system/base/compiler.hpp"
#include "system/base/sync_mode.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate_body.hpp"
#include "system/global/reply.hpp"
#include "system/message/closure_check.hpp"
#include "system/message/wire.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Grappa {

namespace detail {

/// Decides how blocking delegates access words of their own core: directly, or with a prefetch and
/// a yield before the access.
///
/// Prefetch and yield hide the memory latency of tables that exceed the cache. If the word is in
/// the cache, the context switch is wasted. LocalAccess therefore times one of many accesses, and
/// the mean of recent samples selects the method.
class LocalAccess {
 public:
  /// A delegate calls plain() before each access. If plain() returns false, the delegate must call
  /// prepare() before the access.
  bool plain() { return --plain_left_ != 0; }

  /// Times the access to the word at `object`, or prefetches the word and yields. From: any.
  /// Suspends: in a task, if accesses are slow.
  void prepare(const void* object);

  /// Adds the duration of a timed access, including the cost of the clock.
  void add_sample(uint64_t ns) {
    // Longer durations come from preemption, not from memory.
    const double counted_ns = std::min(static_cast<double>(ns), double{kLongestNs});
    mean_ns_ += (counted_ns - mean_ns_) / kSamplesInMean;
    slow_ = mean_ns_ > kSlowNs;
  }

  bool slow() const { return slow_; }

 private:
  static constexpr int kAccessesPerSample = 256;
  static constexpr double kSamplesInMean = 16;
  /// Between the latency of a shared cache and that of memory, including the cost of the clock.
  static constexpr double kSlowNs = 70;
  /// The latency of another processor's memory, including a page table walk.
  static constexpr double kLongestNs = 500;

  int plain_left_ = kAccessesPerSample;  // accesses until the next call of prepare()
  int slow_left_ = 0;                    // while slow_: accesses until the next timed access
  bool slow_ = false;
  double mean_ns_ = 0;
};

extern LocalAccess the_local_access;

/// The slow path of on_word(). A separate function keeps the fast path free of a stack frame.
template <class T, class F>
GRAPPA_NOINLINE typename result_at<T, F>::type on_word_slow(Core owner, T* word, F body) {
  check_access(owner, word);
  if (owner != the_running_core) {
    return request<typename result_at<T, F>::type>(owner, AtObject<T, F>(word, body));
  }
  the_local_access.prepare(word);
  return call_with(body, word);
}

/// A delegate at an address whose body only accesses the word.
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
template <class R, class F>
GRAPPA_NOINLINE R call_elsewhere(int64_t dest, F body) {
  check_closure(body);
  if (GRAPPA_UNLIKELY(dest == the_running_core)) return call_here(body);
  return request<R>(dest, body);
}
template <class R, class T, class F>
GRAPPA_NOINLINE R call_elsewhere_at(Core owner, T* object, F body) {
  check_closure(body);
  check_access(owner, object);
  if (GRAPPA_UNLIKELY(owner == the_running_core)) return call_with(body, object);
  return request<R>(owner, AtObject<T, F>(object, body));
}

/// Reads or writes the `bytes` bytes of an element that lies on several cores. Not atomic: part by
/// part.
void read_parts(void* to, uint64_t raw_bits, size_t bytes);
void write_parts(uint64_t raw_bits, const void* from, size_t bytes);

template <class T>
GRAPPA_NOINLINE T read_crossing(GlobalAddress<T> address) {
  alignas(T) unsigned char copy[sizeof(T)];
  read_parts(copy, address.raw_bits(), sizeof(T));
  return *reinterpret_cast<const T*>(copy);
}

/// The parts of an async call at an address that checked mode examines.
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

template <SyncMode S>
using IfAsync = typename std::enable_if<S == SyncMode::Async>::type;

}  // namespace detail

namespace delegate {

/// Runs `body()` on core `dest` and returns its result.
template <class F>
typename detail::call_result<F>::type call(int64_t dest, F body) {
  typedef typename detail::call_result<F>::type R;
  static_assert(detail::WireSafe<F>::value && detail::CanAnswer<R>::value, "");
  if (dest == detail::the_direct_core) return detail::call_here(body);
  return detail::call_elsewhere<R>(dest, body);
}

/// Runs `body(object)` at the owner of `address`, with the object by reference or by pointer.
template <class T, class F>
typename detail::result_at<T, F>::type call(GlobalAddress<T> address, F body) {
  typedef typename detail::result_at<T, F>::type R;
  static_assert(detail::WireSafe<F>::value && detail::CanAnswer<R>::value, "");
  const Core owner = address.core();
  if (owner == detail::the_direct_core) return detail::call_with(body, address.pointer());
  return detail::call_elsewhere_at<R>(owner, address.pointer(), body);
}

/// Runs `body` on core `dest` while it holds a lock there. `mutex()` also runs on core `dest` and
/// returns a pointer or a reference to the lock: a Mutex or another type with lock() and unlock().
/// The body takes no argument, or the lock by pointer or by reference. Both closures are sent.
template <class M, class F>
typename detail::LockedBody<M, F>::Result call(int64_t dest, M mutex, F body) {
  detail::check_closure(mutex);
  detail::check_closure(body);
  return call(dest, unchecked(detail::LockedBody<M, F>(mutex, body)));
}

/// Returns the value at `address`, also of an element that crosses the end of a block.
template <class T>
T read(GlobalAddress<T> address) {
  if (block_size % sizeof(T) != 0 && address.crosses_blocks())
    return detail::read_crossing(address);
  return detail::on_word(address, detail::Read());
}

/// Assigns `value` at `address`, also to an element that crosses the end of a block.
template <class T, class U>
void write(GlobalAddress<T> address, U value) {
  const T converted = static_cast<T>(value);
  if (block_size % sizeof(T) != 0 && address.crosses_blocks()) {
    return detail::write_parts(address.raw_bits(), &converted, sizeof(T));
  }
  detail::on_word(address, [converted](T& target) { target = converted; });
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

/// Writes `value` and returns true if the old value equals `expected`; otherwise returns false.
template <class T, class U, class V>
bool compare_and_swap(GlobalAddress<T> address, U expected, V value) {
  const T old_value = static_cast<T>(expected);
  const T new_value = static_cast<T>(value);
  return detail::on_word(address, [old_value, new_value](T& target) {
    if (!(target == old_value)) return false;
    target = new_value;
    return true;
  });
}

// The async forms.

/// Runs `body()` on core `dest` and discards its result.
template <SyncMode S, class F>
detail::IfAsync<S> call(int64_t dest, F body) {
  detail::send_counted(dest, body, body);
}

/// Runs `body(object)` at the owner of `address`, with the object by reference or by pointer.
template <SyncMode S, class T, class F>
detail::IfAsync<S> call(GlobalAddress<T> address, F body) {
  static_assert(detail::WireSafe<F>::value, "");
  const Core owner = address.core();
  T* const object = address.pointer();
  detail::send_counted(owner, detail::AtObject<T, F>(object, body),
                       detail::CallAt<T, F>{owner, object, body});
}

/// Runs `body` on core `dest` while it holds the lock that `mutex()` returns there.
/// The handler on core `dest` waits for the lock; the caller does not.
template <SyncMode S, class M, class F>
detail::IfAsync<S> call(int64_t dest, M mutex, F body) {
  detail::check_closure(mutex);
  detail::check_closure(body);
  call<S>(dest, unchecked(detail::LockedBody<M, F>(mutex, body)));
}

template <SyncMode S, class T, class U>
detail::IfAsync<S> write(GlobalAddress<T> address, U value) {
  const T converted = static_cast<T>(value);
  call<S>(address, unchecked([converted](T& target) { target = converted; }));
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
  const T old_value = static_cast<T>(expected);
  const T new_value = static_cast<T>(value);
  call<S>(address, unchecked([old_value, new_value](T& target) {
            if (target == old_value) target = new_value;
          }));
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
