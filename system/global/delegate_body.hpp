#pragma once

/// The message contents of a delegate: the body and the address of its object.
///
/// Small messages are essential: a body without captures occupies no bytes. The sender resolves the
/// address, so the owner can prefetch the objects that a run of delegates accesses.

#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/message/wire.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

/// Stores a closure; an empty closure occupies no bytes.
template <class F, bool = std::is_empty<F>::value && !__is_final(F)>
class Stored {
 public:
  explicit Stored(const F& body) : body_(body) {}
  F& body() { return body_; }
  const F& body() const { return body_; }

 private:
  F body_;
};

template <class F>
class Stored<F, true> : private F {
 public:
  explicit Stored(const F& body) : F(body) {}
  F& body() { return *this; }
  const F& body() const { return *this; }
};

// An exception that leaves a body aborts the job on every core, also on the caller's core.

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

/// The bodies of the operations on words. Named types let equal operations form one run.
struct Read {
  template <class T>
  T operator()(const T& value) const {
    return value;
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

/// FetchAndAdd of 1: the message contains only the address.
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

/// A body that runs on an object of the owner.
template <class T, class F>
class AtObject : private Stored<F> {
 public:
  AtObject(T* object, const F& body) : Stored<F>(body), object_(object) {}

  using Stored<F>::body;
  T* object() const { return object_; }

  typename result_at<T, F>::type operator()() { return call_with(this->body(), object_); }
  void prefetch() const { prefetch_for(this->body(), static_cast<const T*>(object_), 0); }

 private:
  T* object_;  // valid at the owner
};

/// AtObject with the number of a reply slot in the 16 bits that a pointer does not use.
template <class T, class F>
class NumberedAtObject : private Stored<F> {
 public:
  enum : uint32_t { kNumbers = 1 << 16 };

  NumberedAtObject(uint32_t number, T* object, const F& body)
      : Stored<F>(body),
        number_and_object_(uint64_t{number} << kPointerBits | reinterpret_cast<uint64_t>(object)) {}

  uint32_t number() const { return static_cast<uint32_t>(number_and_object_ >> kPointerBits); }
  typename result_at<T, F>::type operator()() { return call_with(this->body(), object()); }
  void prefetch() const { prefetch_for(this->body(), static_cast<const T*>(object()), 0); }

 private:
  enum { kPointerBits = 48 };
  T* object() const {
    return reinterpret_cast<T*>(number_and_object_ & ((uint64_t{1} << kPointerBits) - 1));
  }

  uint64_t number_and_object_;
};

/// A body that runs on a core, with the number of a reply slot.
template <class F>
class Numbered : private Stored<F> {
 public:
  Numbered(uint32_t number, const F& body) : Stored<F>(body), number_(number) {}

  uint32_t number() const { return number_; }
  typename call_result<F>::type operator()() { return this->body()(); }

 private:
  uint32_t number_;
};

template <class L>
L* pointer_to(L* lock) {
  return lock;
}
template <class L>
L* pointer_to(L& lock) {
  return &lock;
}

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

/// A delegate that holds a lock at the owner: a closure that returns the lock, and the body.
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
