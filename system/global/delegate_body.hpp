#pragma once

/// The contents of a delegate's message: the body and the pointer to its object. The sender
/// computes the pointer, so the owner can prefetch the objects that a run of delegates accesses.

#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/message/wire.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace Grappa {

template <class... Fields>
class Payload;  // payload.hpp

namespace detail {

// An exception that leaves a body aborts the job, even if the body runs on the core of the caller.

template <class F>
typename call_result<F>::type call_here(F& body) noexcept {
  return body();
}

/// Calls a body that takes an object by reference or by pointer.
template <class T, class F>
typename std::enable_if<is_callable<F, T&>::value, call_result<F, T&>>::type::type call_with(
    F& body, T* object) noexcept {
  return body(*object);
}
template <class T, class F>
typename std::enable_if<!is_callable<F, T&>::value, call_result<F, T*>>::type::type call_with(
    F& body, T* object) noexcept {
  return body(object);
}

template <class T, class F>
struct result_at {
  static_assert(is_callable<F, T&>::value || is_callable<F, T*>::value,
                "the body of a delegate at an address must take the object: (T&) or (T*)");
  typedef decltype(call_with(std::declval<F&>(), std::declval<T*>())) type;
};

// The bodies of the operations on words. With named types, equal operations form one run.

struct Read {
  template <class T>
  T operator()(const T& value) const {
    return value;
  }
};

template <class T>
struct Assign {
  T value;
  void operator()(T& target) const { target = value; }
};

template <class T>
struct CompareAndSwap {
  T expected, value;
  bool operator()(T& target) const {
    if (!(target == expected)) return false;
    target = value;
    return true;
  }
};

template <class T, class U>
struct FetchAndAdd {
  U change;
  T operator()(T& target) const {
    const T before = target;
    target += change;
    return before;
  }
};

template <class T, class U>
struct Add {
  U change;
  void operator()(T& target) const { target += change; }
};

// For a change of 1, the message contains only the address.

template <class T, class U>
struct FetchAndAddOne {
  T operator()(T& target) const { return FetchAndAdd<T, U>{U(1)}(target); }
};

template <class T, class U>
struct AddOne {
  void operator()(T& target) const { target += U(1); }
};

/// True if the compiler can prove at compile time that a number is 1.
template <class U>
GRAPPA_ALWAYS_INLINE typename std::enable_if<std::is_arithmetic<U>::value, bool>::type known_one(
    U change) {
  return GRAPPA_KNOWN(change == U(1));
}
template <class U>
typename std::enable_if<!std::is_arithmetic<U>::value, bool>::type known_one(const U&) {
  return false;
}

/// Prefetches the memory that a body at an object will access: calls the body's member
/// `prefetch(const T* object) const`, or prefetches the object if the body has no such member.
template <class T, class F>
auto prefetch_for(const F& body, const T* object, int) -> decltype(body.prefetch(object)) {
  return body.prefetch(object);
}
template <class T, class F>
void prefetch_for(const F&, const T* object, long) {
  GRAPPA_PREFETCH(object);
}

/// A body that runs on an object of the owner. A body without captures occupies no bytes.
template <class T, class F>
class AtObject {
 public:
  AtObject(T* object, const F& body) : object_(object), body_(body) {}

  T* object() const { return object_; }
  const F& body() const { return body_; }
  typename result_at<T, F>::type operator()() { return call_with(body_, object_); }
  void prefetch() const { prefetch_for(body_, static_cast<const T*>(object_), 0); }

 private:
  T* object_;  // valid at the owner
  [[no_unique_address]] F body_;
};

/// AtObject with the number of a reply slot in the 16 bits that a pointer does not use.
template <class T, class F>
class NumberedAtObject {
 public:
  enum : uint32_t { kNumbers = 1 << 16 };

  NumberedAtObject(uint32_t number, T* object, const F& body)
      : number_and_object_(uint64_t{number} << kPointerBits | reinterpret_cast<uint64_t>(object)),
        body_(body) {}

  uint32_t number() const { return static_cast<uint32_t>(number_and_object_ >> kPointerBits); }
  typename result_at<T, F>::type operator()() { return call_with(body_, object()); }
  void prefetch() const { prefetch_for(body_, static_cast<const T*>(object()), 0); }

 private:
  enum { kPointerBits = 48 };
  T* object() const {
    return reinterpret_cast<T*>(number_and_object_ & ((uint64_t{1} << kPointerBits) - 1));
  }

  uint64_t number_and_object_;
  [[no_unique_address]] F body_;
};

/// A body that runs on a core, with the number of a reply slot.
template <class F>
class Numbered {
 public:
  Numbered(uint32_t number, const F& body) : number_(number), body_(body) {}

  uint32_t number() const { return number_; }
  typename call_result<F>::type operator()() { return body_(); }

 private:
  uint32_t number_;
  [[no_unique_address]] F body_;
};

template <class L, class = void>
struct IsLock : std::false_type {};
template <class L>
struct IsLock<L, decltype(std::declval<L&>().lock(), std::declval<L&>().unlock(), void())>
    : std::true_type {};

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

/// A delegate that holds a lock at the owner. The closure `mutex_` returns the lock.
template <class M, class F>
class LockedBody {
  typedef typename call_result<M>::type Found;
  static_assert(std::is_pointer<Found>::value || std::is_lvalue_reference<Found>::value,
                "the second argument of this delegate must return a pointer or a reference to the "
                "lock");
  typedef typename std::remove_pointer<typename std::remove_reference<Found>::type>::type Lock;
  static_assert(IsLock<Lock>::value,
                "the lock of this delegate must be a Mutex or another type with lock() and "
                "unlock()");
  static_assert(WireSafe<M>::value && WireSafe<F>::value, "");

 public:
  typedef decltype(call_holding(std::declval<F&>(), std::declval<Lock*>())) Result;

  LockedBody(const M& mutex, const F& body) : mutex_(mutex), body_(body) {}

  Result operator()() {
    const Unlock at_end = {pointer_to(mutex_())};
    at_end.lock->lock();
    return call_holding(body_, at_end.lock);
  }

 private:
  struct Unlock {
    Lock* lock;
    ~Unlock() { lock->unlock(); }
  };
  static Lock* pointer_to(Lock* lock) { return lock; }
  static Lock* pointer_to(Lock& lock) { return &lock; }

  M mutex_;
  F body_;
};

/// The result of call(core, mutex, body). A payload is no mutex: payload.hpp has that call.
template <class M, class F>
struct LockedCall {
  typedef typename LockedBody<M, F>::Result Result;
};
template <class... Fields, class F>
struct LockedCall<Payload<Fields...>, F> {};

}  // namespace detail
}  // namespace Grappa
