#pragma once

/// Collects values from every core for one task.
///
/// In contrast to the collectives, a single task calls these functions. Other tasks may call them
/// at the same time. The values are gathered along a tree, and the calling task combines them in
/// the order of the cores: op(op(v0, v1), v2) and so on. So the result does not depend on locales.
/// All functions: From: task. Suspends: until all cores have answered. Messages: about 3 for each
/// other core.
///
/// A Reducer is a file-scope or symmetric object that accumulates values on each core:
///
///     Reducer<int64_t, ReducerType::Max> longest;  // of file scope
///     forall(lines, n, [](Line& line) { longest << line.length; });
///     const int64_t found = longest;           // combines the values of all cores

#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/locale_memory.hpp"
#include "system/message/send.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/sync/completion_event.hpp"
#include "system/tasking/task.hpp"

#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>

namespace Grappa {
namespace detail {

/// A node of the tree along which on_all_cores starts its bodies. It gathers the values of this
/// core and of the count - 1 cores after it, and sends them to the core above.
template <class T>
class GatherNode {
  static_assert(travels<T>::value,
                "the values that reduce and sum_all_cores combine are sent as bytes, so their type "
                "must be trivially copyable");

 public:
  explicit GatherNode(int count) : values_(count), count_(count) {}

  /// Gathers values that `read()` returns in a task on each of the cores, in the current scope.
  /// From: a task on the first core. Suspends: until the values have arrived.
  template <class Read>
  void gather(Read read) {
    start(read);
    wait(read);
  }
  const T* values() const { return values_.get(); }  // in the order of the cores

 private:
  template <class Read>
  struct Part;

  // Starts the upper halves, like spread().
  template <class Read>
  void start(const Read& read) {
    for (int rest = count_; rest > 1;) {
      const int upper = rest / 2;
      rest -= upper;
      missing_.enroll();
      send_start(core_behind_me(rest), Part<Read>{read, this, mycore(), rest, upper});
    }
  }

  template <class Read>
  void wait(Read& read) {
    values_[0] = read();
    missing_.wait();
  }

  void take(int64_t first, const void* values, size_t bytes) {
    std::memcpy(static_cast<void*>(values_.get() + first), values, bytes);
    missing_.complete();
  }

  const ElementBuffer<T> values_;
  const int count_;
  CompletionEvent missing_;  // upper halves
};

/// The message that starts the gathering of `count` values at index `first` of the node above.
template <class T>
template <class Read>
struct GatherNode<T>::Part {
  Read read;
  GatherNode* above;
  Core core_above;
  int first;
  int count;

  void operator()() const {
    GatherNode* const node = new GatherNode(count);
    node->start(read);
    Part part = *this;
    spawn([node, part]() mutable { part.finish(node); });
  }

  void finish(GatherNode* node) {
    const std::unique_ptr<GatherNode> owned(node);
    node->wait(read);
    GatherNode* const to = above;
    const int at = first;
    const auto take = [to, at](const void* values, size_t bytes) { to->take(at, values, bytes); };
    // The end of this task acknowledges the start, so both are flushed together.
    send_message(core_above, unchecked(take), node->values(),
                 static_cast<size_t>(count) * sizeof(T));
  }
};

/// Combines by `op` the values that `read()` returns in a task on each core.
template <class T, T (*op)(const T&, const T&), class Read>
T combine_all_cores(Read read) {
  check_closure(read);
  GatherNode<T> node(cores());
  finish([&node, &read]() noexcept { node.gather(read); });  // as start_on_cores
  const int core_0 = (cores() - mycore()) % cores();         // its index in the values
  T combined = node.values()[core_0];
  for (int core = 1; core < cores(); ++core) {
    combined = op(combined, node.values()[(core_0 + core) % cores()]);
  }
  return combined;
}

}  // namespace detail

/// Combines by `op` a file-scope object of all cores: reduce<int64_t, collective_add>(&count).
template <class T, T (*op)(const T&, const T&)>
T reduce(const T* object) {
  detail::check_on_all_cores(object);
  return detail::combine_all_cores<T, op>([object] { return *object; });
}

/// Combines by `op` the values of a symmetric object.
template <class T, T (*op)(const T&, const T&)>
T reduce(GlobalAddress<T> symmetric) {
  return reduce<T, op>(static_cast<const T*>(symmetric.pointer()));
}

/// Combines by `op` the values of accessor(object), such as `object->member`, of all cores.
template <class T, class P, T (*op)(const T&, const T&), T (*accessor)(GlobalAddress<P>)>
T reduce(GlobalAddress<P> object) {
  return detail::combine_all_cores<T, op>([object] { return accessor(object); });
}

/// Runs `body()` on every core, like on_all_cores, and returns the sum of the results.
template <class F>
typename detail::call_result<F>::type sum_all_cores(F body) {
  typedef typename detail::call_result<F>::type T;
  return detail::combine_all_cores<T, &collective_add<T>>(body);
}

enum class ReducerType { Add, Or, And, Max, Min };

namespace detail {

template <class T, ReducerType R>
struct Reduction {
  static_assert(std::is_integral<T>::value, "a Reducer of type Or or And needs bool or an integer");
  static constexpr T identity() { return R == ReducerType::Or ? T() : static_cast<T>(-1); }
  static T combine(const T& a, const T& b) {
    return R == ReducerType::Or ? collective_bor(a, b) : collective_band(a, b);
  }
};

template <class T>
struct Reduction<T, ReducerType::Add> {
  static constexpr T identity() { return T(); }
  static T combine(const T& a, const T& b) { return collective_add(a, b); }
};

template <class T, bool max>
struct Extreme {
  typedef std::numeric_limits<T> Limits;
  static_assert(Limits::is_specialized, "a Reducer of type Max or Min needs a numeric type");
  static constexpr T identity() {
    return !Limits::has_infinity ? (max ? Limits::lowest() : Limits::max())
           : max                 ? static_cast<T>(-Limits::infinity())
                                 : Limits::infinity();
  }
  static T combine(const T& a, const T& b) {
    return max ? collective_max(a, b) : collective_min(a, b);
  }
};
template <class T>
struct Reduction<T, ReducerType::Max> : Extreme<T, true> {};
template <class T>
struct Reduction<T, ReducerType::Min> : Extreme<T, false> {};

/// The last parameter is for reducers of non-numeric types (system/compat/Reducer.hpp).
template <class T, ReducerType R, bool = std::numeric_limits<T>::is_specialized>
class ReducerOf {
 public:
  constexpr ReducerOf() : local_(Kind::identity()) {}
  ReducerOf(const ReducerOf&) = delete;
  ReducerOf& operator=(const ReducerOf&) = delete;

  /// The combined values of all cores, or the identity. Suspends and Messages: like reduce.
  operator T() const { return reduce<T, &Kind::combine>(&local_); }

  /// Replaces the values of all cores by the single value `value`. Suspends: until all cores have
  /// replaced their values. Messages: about 2 for each other core.
  void operator=(T value) {  // NOLINT(misc-unconventional-assign-operator): it suspends; no chains
    reset();
    accumulate(value);
  }

  /// Resets the values of all cores to the identity. Suspends and Messages: like assignment.
  void reset() {
    check_on_all_cores(this);
    ReducerOf* const self = this;
    on_all_cores([self] { self->local_ = Kind::identity(); });
  }

  const T& local() const { return local_; }  // the value that this core has accumulated

 protected:
  typedef Reduction<T, R> Kind;

  void accumulate(const T& value) { local_ = Kind::combine(local_, value); }

 private:
  T local_;
};

}  // namespace detail

/// Accumulates by += and -=, ++ and -- (Add), bitwise |= (Or) and &= (And), or << (Max and Min).
template <class T, ReducerType R>
class Reducer : public detail::ReducerOf<T, R> {
 public:
  using detail::ReducerOf<T, R>::operator=;

  Reducer& operator+=(const T& value) { return with<ReducerType::Add>(value); }
  Reducer& operator-=(const T& value) { return *this += -value; }
  Reducer& operator++() { return *this += static_cast<T>(1); }
  Reducer& operator--() { return *this += static_cast<T>(-1); }
  void operator++(int) { ++*this; }
  void operator--(int) { --*this; }
  Reducer& operator|=(const T& value) { return with<ReducerType::Or>(value); }
  Reducer& operator&=(const T& value) { return with<ReducerType::And>(value); }

  /// A template is an exact match, so it is preferred to the shift of the converted number. For
  /// other reducer types, << is that shift.
  template <class U, ReducerType Type = R>
  typename std::enable_if<Type == ReducerType::Max || Type == ReducerType::Min, Reducer&>::type
  operator<<(const U& value) {
    return with<Type>(static_cast<T>(value));
  }

 private:
  template <ReducerType Type>
  Reducer& with(const T& value) {
    static_assert(R == Type,
                  "a Reducer accumulates by += (Add), |= (Or), &= (And) or << (Max and Min)");
    this->accumulate(value);
    return *this;
  }
};

}  // namespace Grappa
