#pragma once

/// One T on each core, under one name.
///
/// A SimpleSymmetric is a file-scope or symmetric object: it has the same address on every core,
/// and each core uses its own T. Reading and all operators use this core's T, without a message.
/// Only the assignment `object = value` sets the T of all cores. `object.local() = value` sets the
/// T of this core. Assigning to a local variable of this type aborts the job, because other cores
/// do not have that variable.

#include "system/base/traits.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"

namespace Grappa {

template <class T>
class SimpleSymmetric {
 public:
  constexpr SimpleSymmetric() : local_() {}
  constexpr explicit SimpleSymmetric(const T& value) : local_(value) {}
  SimpleSymmetric(const SimpleSymmetric&) = delete;
  SimpleSymmetric& operator=(const SimpleSymmetric&) = delete;

  /// Sets the T of every core. From: task. Suspends: until all cores are set. Messages: about 2 for
  /// each other core.
  SimpleSymmetric& operator=(const T& value) {
    static_assert(detail::travels<T>::value,
                  "a value that is assigned on all cores must be trivially copyable");
    detail::check_on_all_cores(this);
    SimpleSymmetric* const self = this;
    const T copy = value;
    on_all_cores(unchecked([self, copy] { self->local_ = copy; }));
    return *this;
  }

  T& local() { return local_; }
  const T& local() const { return local_; }
  operator const T&() const { return local_; }
  T* operator->() { return &local_; }
  const T* operator->() const { return &local_; }

  SimpleSymmetric& operator++() { return ++local_, *this; }
  SimpleSymmetric& operator--() { return --local_, *this; }
  T operator++(int) { return local_++; }
  T operator--(int) { return local_--; }
  template <class U>
  SimpleSymmetric& operator+=(const U& other) {
    return local_ += other, *this;
  }
  template <class U>
  SimpleSymmetric& operator-=(const U& other) {
    return local_ -= other, *this;
  }
  template <class U>
  SimpleSymmetric& operator*=(const U& other) {
    return local_ *= other, *this;
  }
  template <class U>
  SimpleSymmetric& operator|=(const U& other) {
    return local_ |= other, *this;
  }
  template <class U>
  SimpleSymmetric& operator&=(const U& other) {
    return local_ &= other, *this;
  }
  template <class U>
  SimpleSymmetric& operator^=(const U& other) {
    return local_ ^= other, *this;
  }

 private:
  T local_;
};

}  // namespace Grappa
