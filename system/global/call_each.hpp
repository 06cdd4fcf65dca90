#pragma once

/// Many blocking calls of one task, several at a time: `delegate::call_each`. If the iterations of
/// a loop are independent, a loop over ranges with call_each is twice as fast as a loop whose
/// iterations wait for one call each (bench/gups), because the task does not switch for each call.

#include "system/base/ids.hpp"
#include "system/base/traits.hpp"
#include "system/base/units.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/global/delegate_body.hpp"
#include "system/global/reply.hpp"
#include "system/message/wire.hpp"
#include "system/net/topology.hpp"

#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {

/// A call of call_each. Its object is set only if this core owns the object.
template <class T, class R>
struct EachCall {
  T* object;
  Core owner;
  ReplySlotFor<R> slot;
};

/// The maximum number of calls in progress of one call_each: up to 64, on 3 KiB of the stack. Small
/// stacks have 8 KiB. In bench/gups, 16 calls have three quarters of the rate of 64.
template <class Call>
constexpr int64_t most_calls_in_progress() {
  return static_cast<int64_t>(sizeof(Call) <= 3 * KiB / 64  ? 64
                              : sizeof(Call) <= 3 * KiB / 2 ? 3 * KiB / sizeof(Call)
                                                            : 1);
}

/// Starts the calls at other cores, then runs the calls of this core, and finally waits for the
/// answers. The objects of this core are prefetched in a loop of their own: between the calls that
/// are started, fewer prefetches would be in progress at a time. In bench/gups with a large table,
/// this gains 10 to 35 %. The function is noexcept because the slots are on its stack.
template <class T, class Address, class F, class Use>
void call_some(int64_t first, int64_t count, Address& address, F& body, Use& use) noexcept {
  typedef typename result_at<T, F>::type R;
  typedef EachCall<T, R> Call;
  Call calls[most_calls_in_progress<Call>()];
  uint8_t own[most_calls_in_progress<Call>()];  // the indices of the calls of this core
  int own_count = 0;
  for (int64_t k = 0; k < count; ++k) {
    Call& call = calls[k];
    const GlobalAddress<T> at = address(first + k);
    const AtObject<T, F> closure(at.pointer(), body);
    call.owner = at.core();
    check_call(call.owner, closure);
    if (call.owner == the_running_core) {
      call.object = at.pointer();
      own[own_count++] = static_cast<uint8_t>(k);
    } else {
      start(&call.slot, call.owner, closure);
    }
  }
  for (int k = 0; k < own_count; ++k) AtObject<T, F>(calls[own[k]].object, body).prefetch();
  for (int k = 0; k < own_count; ++k) {
    Call& call = calls[own[k]];
    AtObject<T, F> closure(call.object, body);
    call.slot.fill_here(closure);
  }
  for (int64_t k = 0; k < count; ++k) {
    if (calls[k].slot.expected()) calls[k].slot.wait(calls[k].owner);
    use(first + k, calls[k].slot.answer().get());
  }
}

template <class T>
struct ObjectAt;
template <class T>
struct ObjectAt<GlobalAddress<T>> {
  typedef T type;
};

}  // namespace detail

namespace delegate {

/// For each i from `first` to first + count - 1, runs `body(object)` at the owner of `address(i)`
/// and then `use(i, result)` in the calling task, in the order of i. Up to 64 calls are in progress
/// at a time, and take effect in any order. An exception aborts the job. Suspends: until all calls
/// have been answered. Messages: 2 for each call at another core.
template <class Address, class F, class Use>
void call_each(int64_t first, int64_t count, Address address, F body, Use use) {
  typedef typename detail::ObjectAt<decltype(address(first))>::type T;
  typedef typename detail::result_at<T, F>::type R;
  static_assert(
      !std::is_void<R>::value,
      "the body of call_each must return a value: without a result, call<async> is faster");
  static_assert(detail::WireSafe<F>::value && detail::CanAnswer<R>::value, "");
  constexpr int64_t kMost = detail::most_calls_in_progress<detail::EachCall<T, R>>();
  while (count > 0) {
    const int64_t some = count < kMost ? count : kMost;
    detail::call_some<T>(first, some, address, body, use);
    first += some;
    count -= some;
  }
}

}  // namespace delegate
}  // namespace Grappa
