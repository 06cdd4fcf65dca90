#pragma once

/// Accumulates values on each core, and combines them over all cores on request.
///
/// One task reads the values that all cores have accumulated. A Reducer is a file-scope or
/// symmetric object. Accumulating sends no message; each read collects values from all cores.
///
///     Reducer<int64_t, ReducerType::Max> longest;  // of file scope
///     forall(lines, n, [](Line& line) { longest << line.length; });
///     const int64_t found = longest;
///
/// A Reducer starts with the identity of the operation instead of T(), so And of ones, Min of
/// positive numbers and Max of negative numbers are correct.

#include "system/base/traits.hpp"
#include "system/parallel/collective_operation.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"

#include <limits>
#include <type_traits>

namespace Grappa {

enum class ReducerType { Add, Or, And, Max, Min };

namespace detail {

/// The identity and the operation of a reducer type.
template <class T, ReducerType R>
struct Reduction;

template <class T>
struct Reduction<T, ReducerType::Add> {
  static constexpr T identity() { return T(); }
  static T combine(const T& a, const T& b) { return collective_add(a, b); }
};

template <class T>
struct Reduction<T, ReducerType::Or> {
  static_assert(std::is_integral<T>::value, "a Reducer of type Or needs bool or an integer");
  static constexpr T identity() { return T(); }
  static T combine(const T& a, const T& b) { return collective_bor(a, b); }
};

template <class T>
struct Reduction<T, ReducerType::And> {
  static_assert(std::is_integral<T>::value, "a Reducer of type And needs bool or an integer");
  static constexpr T identity() { return static_cast<T>(-1); }  // all bits set, and true
  static T combine(const T& a, const T& b) { return collective_band(a, b); }
};

template <class T>
struct Reduction<T, ReducerType::Max> {
  typedef std::numeric_limits<T> Limits;
  static_assert(Limits::is_specialized, "a Reducer of type Max needs a numeric type");
  static constexpr T identity() {
    return Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  }
  static T combine(const T& a, const T& b) { return collective_max(a, b); }
};

template <class T>
struct Reduction<T, ReducerType::Min> {
  typedef std::numeric_limits<T> Limits;
  static_assert(Limits::is_specialized, "a Reducer of type Min needs a numeric type");
  static constexpr T identity() {
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  static T combine(const T& a, const T& b) { return collective_min(a, b); }
};

/// The last parameter is for reducers of non-numeric types (system/compat/Reducer.hpp).
template <class T, ReducerType R, bool = std::numeric_limits<T>::is_specialized>
class ReducerOf {
 public:
  constexpr ReducerOf() : local_(Kind::identity()) {}
  ReducerOf(const ReducerOf&) = delete;
  ReducerOf& operator=(const ReducerOf&) = delete;

  /// The combined values of all cores. Without values, the result is the identity: 0, all bits set,
  /// the lowest or the highest number. From: task. Suspends, Messages: like reduce().
  operator T() const { return reduce<T, &Kind::combine>(&local_); }

  /// Replaces the values of all cores by the single value `value`. From: task. Suspends: until all
  /// cores have replaced theirs. Messages: about 2 for each other core.
  void operator=(T value) {  // NOLINT(misc-unconventional-assign-operator): it suspends; no chains
    set_on_all_cores();
    local_ = Kind::combine(local_, value);
  }

  /// Resets the values of all cores to the identity. Suspends, Messages: like assignment.
  void reset() { set_on_all_cores(); }

  /// The value accumulated on this core.
  const T& local() const { return local_; }

 protected:
  typedef Reduction<T, R> Kind;

  void accumulate(const T& value) { local_ = Kind::combine(local_, value); }

 private:
  void set_on_all_cores() {
    check_on_all_cores(this);
    ReducerOf* const self = this;
    on_all_cores([self] { self->local_ = Kind::identity(); });
  }

  T local_;
};

}  // namespace detail

/// The maximum or the minimum of the values accumulated by <<.
template <class T, ReducerType R>
class Reducer : public detail::ReducerOf<T, R> {
 public:
  using detail::ReducerOf<T, R>::operator=;
  template <class U>  // exact match, preferred to << on the converted number
  Reducer& operator<<(const U& value) {
    return this->accumulate(static_cast<T>(value)), *this;
  }
};

/// A sum; accumulated by += and ++.
template <class T>
class Reducer<T, ReducerType::Add> : public detail::ReducerOf<T, ReducerType::Add> {
 public:
  using detail::ReducerOf<T, ReducerType::Add>::operator=;
  Reducer& operator+=(const T& value) { return this->accumulate(value), *this; }
  Reducer& operator-=(const T& value) { return *this += -value; }
  Reducer& operator++() { return *this += static_cast<T>(1); }
  Reducer& operator--() { return *this += static_cast<T>(-1); }
  void operator++(int) { ++*this; }
  void operator--(int) { --*this; }
};

/// A bitwise or, or a logical or of bools; accumulated by |=.
template <class T>
class Reducer<T, ReducerType::Or> : public detail::ReducerOf<T, ReducerType::Or> {
 public:
  using detail::ReducerOf<T, ReducerType::Or>::operator=;
  Reducer& operator|=(const T& value) { return this->accumulate(value), *this; }
};

/// A bitwise and, or a logical and of bools; accumulated by &=.
template <class T>
class Reducer<T, ReducerType::And> : public detail::ReducerOf<T, ReducerType::And> {
 public:
  using detail::ReducerOf<T, ReducerType::And>::operator=;
  Reducer& operator&=(const T& value) { return this->accumulate(value), *this; }
};

}  // namespace Grappa
