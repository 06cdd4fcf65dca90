#pragma once

/// Type traits that the C++11 library lacks, and readable type names without RTTI, for reports.

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace Grappa {

template <class T>
class View;  // view.hpp

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

/// True if objects of type T are equal exactly if their bytes are: a T has no padding and no
/// floating-point number.
template <class T>
struct HasUniqueBytes : std::integral_constant<bool, __has_unique_object_representations(T)> {};

/// True if a T is a View, or a pair, tuple or vector that holds one (message/serialize.hpp). A view
/// is an address, so it is valid on its own core only.
template <class T>
struct HoldsView : std::false_type {};
template <class T>
struct HoldsView<View<T>> : std::true_type {};
template <class A, class B>
struct HoldsView<std::pair<A, B>>
    : std::integral_constant<bool, HoldsView<A>::value || HoldsView<B>::value> {};

/// The compiler's name of this function, which contains the name of the type T.
template <class T>
const char* type_signature() {
  return __PRETTY_FUNCTION__;
}

/// Returns the start of the type name in a signature, and stores its length. Signal-safe.
inline const char* type_name_in(const char* signature, size_t* length) {
  const char* name = std::strstr(signature, "T = ");
  name = name == nullptr ? signature : name + 4;
  *length = std::strlen(name);
  if (*length > 0 && name[*length - 1] == ']') --*length;
  return name;
}

}  // namespace detail
}  // namespace Grappa
