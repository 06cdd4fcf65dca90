#pragma once

/// Collects values of any length from all cores for one task.

#include "system/global/payload.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa {
namespace detail {

/// Stores a value at the core that gathers.
template <class T>
struct StoreGathered {
  std::vector<T>* values;
  Core from;
  void operator()(T value) const { (*values)[static_cast<size_t>(from)] = std::move(value); }
};

}  // namespace detail

/// Runs `body()` on every core and returns the results by core. The body returns a string, a vector
/// or any other type with a Serialize and a default constructor, and may suspend. From: task.
/// Suspends: until all cores have answered. Messages: those of on_all_cores, and 1 for each core,
/// or 1 for each part of a result that does not fit into a buffer.
template <class F>
std::vector<typename detail::call_result<F>::type> gather(F body) {
  typedef typename detail::call_result<F>::type T;
  static_assert(std::is_default_constructible<T>::value,
                "the body of gather() must return a value that has a default constructor");
  typedef detail::ValueField<T> Field;
  detail::check_closure(body);
  std::vector<T> values(static_cast<size_t>(cores()));
  std::vector<T>* const to = &values;
  const Core home = mycore();
  on_all_cores(unchecked([body, to, home]() mutable {
    const T value = body();
    delegate::call<async>(home, Payload<Field>(std::make_tuple(Field::hold(value))),
                          unchecked(detail::StoreGathered<T>{to, mycore()}));
  }));
  return values;
}

}  // namespace Grappa
