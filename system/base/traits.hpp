#pragma once

/// Type traits of closures that the C++11 library lacks.

#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

template <class F, class... Args>
struct CallableTest {
  template <class G>
  static auto test(int) -> decltype(std::declval<G&>()(std::declval<Args>()...), std::true_type());
  template <class G>
  static std::false_type test(...);
};

/// True if an lvalue of type F can be called with these arguments.
template <class F, class... Args>
struct is_callable : decltype(CallableTest<F, Args...>::template test<F>(0)) {};

/// The type that an lvalue of type F returns for these arguments.
template <class F, class... Args>
struct call_result {
  typedef decltype(std::declval<F&>()(std::declval<Args>()...)) type;
};

/// True if objects of type T may be copied to another core as bytes.
template <class T>
struct travels : std::integral_constant<bool, std::is_trivially_copyable<T>::value &&
                                                  std::is_trivially_destructible<T>::value> {};

}  // namespace detail
}  // namespace Grappa
