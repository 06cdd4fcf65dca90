#pragma once

/// Accumulating on each core, and combining over all when somebody asks.
///
/// Reducer is for a task that reads what all cores have accumulated: an object of file scope, or a
/// symmetric one. Accumulating costs no message; each reading collects from all cores.
///
///     Reducer<int64_t, ReducerType::Max> longest;  // of file scope
///     forall(lines, n, [](Line& line) { longest << line.length; });
///     const int64_t found = longest;
///
/// AllReducer is for tasks of all cores that want the result together. Neither begins at T() but at
/// what changes nothing, so And of ones, Min of positive and Max of negative numbers come out
/// right.

#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"

#include <limits>
#include <type_traits>

namespace Grappa {

enum class ReducerType { Add, Or, And, Max, Min };

namespace detail {

/// What a reducer begins with, and what it combines by.
template <class T, ReducerType R>
struct Reduction;

template <class T>
struct Reduction<T, ReducerType::Add> {
  static constexpr T identity() { return T(); }
  static T combine(const T& a, const T& b) { return collective_add(a, b); }
};

template <class T>
struct Reduction<T, ReducerType::Or> {
  static_assert(std::is_integral<T>::value, "a Reducer of type Or is one of bool or an integer");
  static constexpr T identity() { return T(); }
  static T combine(const T& a, const T& b) { return collective_bor(a, b); }
};

template <class T>
struct Reduction<T, ReducerType::And> {
  static_assert(std::is_integral<T>::value, "a Reducer of type And is one of bool or an integer");
  static constexpr T identity() { return static_cast<T>(-1); }  // all bits set, and true
  static T combine(const T& a, const T& b) { return collective_band(a, b); }
};

template <class T>
struct Reduction<T, ReducerType::Max> {
  typedef std::numeric_limits<T> Limits;
  static_assert(Limits::is_specialized, "a Reducer of type Max is one of numbers");
  static constexpr T identity() {
    return Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  }
  static T combine(const T& a, const T& b) { return collective_max(a, b); }
};

template <class T>
struct Reduction<T, ReducerType::Min> {
  typedef std::numeric_limits<T> Limits;
  static_assert(Limits::is_specialized, "a Reducer of type Min is one of numbers");
  static constexpr T identity() {
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  static T combine(const T& a, const T& b) { return collective_min(a, b); }
};

/// The last argument is for the reducers of types that are no numbers (system/compat/Reducer.hpp).
template <class T, ReducerType R, bool = std::numeric_limits<T>::is_specialized>
class ReducerOf {
 public:
  constexpr ReducerOf() : local_(Kind::identity()) {}
  ReducerOf(const ReducerOf&) = delete;
  ReducerOf& operator=(const ReducerOf&) = delete;

  /// What all cores have accumulated together; without anything, what the type's operation leaves
  /// unchanged: 0, all bits, the lowest or the highest number. From: task. Suspends, Messages: as
  /// reduce().
  operator T() const { return reduce<T, &Kind::combine>(&local_); }

  /// From now on the value is `value` and what is accumulated later, on whatever core. From: task.
  /// Suspends: until all cores know. Messages: about 2 for each other core.
  void operator=(T value) {  // NOLINT(misc-unconventional-assign-operator): it suspends; no chains
    set_on_all_cores();
    local_ = Kind::combine(local_, value);
  }

  /// Forgets what all cores have accumulated. As assignment.
  void reset() { set_on_all_cores(); }

  /// What this core has accumulated.
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

template <class T, ReducerType R>
class Reducer;

/// A sum: += and ++.
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

/// |= on the bits, or of bools.
template <class T>
class Reducer<T, ReducerType::Or> : public detail::ReducerOf<T, ReducerType::Or> {
 public:
  using detail::ReducerOf<T, ReducerType::Or>::operator=;
  Reducer& operator|=(const T& value) { return this->accumulate(value), *this; }
};

/// &= on the bits, or of bools.
template <class T>
class Reducer<T, ReducerType::And> : public detail::ReducerOf<T, ReducerType::And> {
 public:
  using detail::ReducerOf<T, ReducerType::And>::operator=;
  Reducer& operator&=(const T& value) { return this->accumulate(value), *this; }
};

/// The largest of what is put in by <<.
template <class T>
class Reducer<T, ReducerType::Max> : public detail::ReducerOf<T, ReducerType::Max> {
 public:
  using detail::ReducerOf<T, ReducerType::Max>::operator=;
  template <class U>  // exact, or else shifting what it converts to would do as well
  Reducer& operator<<(const U& value) {
    return this->accumulate(static_cast<T>(value)), *this;
  }
};

/// The smallest of what is put in by <<.
template <class T>
class Reducer<T, ReducerType::Min> : public detail::ReducerOf<T, ReducerType::Min> {
 public:
  using detail::ReducerOf<T, ReducerType::Min>::operator=;
  template <class U>
  Reducer& operator<<(const U& value) {
    return this->accumulate(static_cast<T>(value)), *this;
  }
};

/// One on each core. `init` is combined once for each, so it should be what `op` leaves unchanged.
template <class T, T (*op)(const T&, const T&)>
class AllReducer {
 public:
  explicit AllReducer(T init) : init_(init), value_(init) {}

  /// Begins anew, on this core.
  void reset() {
    value_ = init_;
    finished_ = false;
  }

  void accumulate(T value) {
    GRAPPA_CHECK(!finished_) << "accumulate after finish: begin anew with reset";
    value_ = op(value_, value);
  }

  /// What all cores have accumulated; once more, the same without asking the others. From: one task
  /// of every core. Suspends: until all have called. Messages: as allreduce.
  T finish() {
    if (!finished_) value_ = allreduce<T, op>(value_);
    finished_ = true;
    return value_;
  }

 private:
  const T init_;
  T value_;
  bool finished_ = false;
};

}  // namespace Grappa
