#pragma once

/// The message contents of a delegate that holds a lock at the owner: a closure that returns the
/// lock, and the body.

#include "system/base/traits.hpp"
#include "system/global/delegate_body.hpp"
#include "system/message/wire.hpp"

#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

template <class L>
L* pointer_to(L* lock) {
  return lock;
}
template <class L>
L* pointer_to(L& lock) {
  return &lock;
}

template <class L>
struct IsLock {
  template <class K>
  static auto test(int)
      -> decltype(std::declval<K&>().lock(), std::declval<K&>().unlock(), std::true_type());
  template <class K>
  static std::false_type test(...);
  typedef decltype(test<L>(0)) type;
};

/// Calls a body with the lock, or without arguments.
template <class L, class F>
typename std::enable_if<is_callable<F>::value, call_result<F>>::type::type call_holding(F& body,
                                                                                        L*) {
  return body();
}
template <class L, class F>
typename std::enable_if<!is_callable<F>::value, result_at<L, F>>::type::type call_holding(F& body,
                                                                                          L* lock) {
  return call_with(body, lock);
}

template <class M, class F>
class LockedBody {
  typedef typename call_result<M>::type Found;
  static_assert(std::is_pointer<Found>::value || std::is_lvalue_reference<Found>::value,
                "the second argument of this delegate must return a pointer or a reference to the "
                "lock");
  typedef typename std::remove_pointer<typename std::remove_reference<Found>::type>::type Lock;
  static_assert(IsLock<Lock>::type::value,
                "the lock of this delegate must be a Mutex or another type with lock() and "
                "unlock()");
  static_assert(WireSafe<M>::value && WireSafe<F>::value, "");

 public:
  typedef decltype(call_holding(std::declval<F&>(), std::declval<Lock*>())) Result;

  LockedBody(const M& mutex, const F& body) : mutex_(mutex), body_(body) {}

  Result operator()() {
    const Holding holding(pointer_to(mutex_()));
    return call_holding(body_, holding.lock);
  }

 private:
  struct Holding {
    explicit Holding(Lock* its_lock) : lock(its_lock) { lock->lock(); }
    ~Holding() { lock->unlock(); }
    Holding(const Holding&) = delete;
    Holding& operator=(const Holding&) = delete;
    Lock* const lock;
  };

  M mutex_;
  F body_;
};

}  // namespace detail
}  // namespace Grappa
