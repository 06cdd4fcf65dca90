#pragma once

/// Checked mode (base/checked_mode.hpp) searches sent closures for addresses of this core.
///
/// Each public function that sends a closure calls check_closure() for every destination, so a job
/// of one core also detects the mistake. Messages of the runtime are not searched, because they may
/// contain pointers. Wrappers around the user's closure are not searched either, so the report
/// names the user's type. In checked mode, each message takes the slow path (emplace in
/// append.hpp), and the_direct_core is never a core number.

#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace Grappa {
namespace detail {

/// The type of a closure, for reports.
struct ClosureType {
  const char* signature;  // type_signature() of the closure
  const void* code;       // address of operator(); null for a template or an overload
};

/// Aborts the job if a word of the closure is an address of this core's memory.
typedef void (*ClosureScan)(const void* closure, size_t bytes, const ClosureType& type);

/// Set by init in checked mode. Null otherwise.
extern ClosureScan the_closure_scan;

inline bool checks_closures() { return the_closure_scan != nullptr; }

/// A function object that is exempt from the check.
template <class F>
struct Unchecked : F {
  // The parameter must not shadow a member of the program's function object.
  explicit Unchecked(const F& unchecked_function_object) : F(unchecked_function_object) {}
};

template <class F>
struct IsChecked
    : std::integral_constant<bool, std::is_class<F>::value && !std::is_empty<F>::value &&
                                       sizeof(F) >= sizeof(void*)> {};
template <class F>
struct IsChecked<Unchecked<F>> : std::false_type {};

/// The first instruction of an operator() that is neither a template nor overloaded.
template <class F>
auto code_of(int) -> decltype(&F::operator(), static_cast<const void*>(nullptr)) {
  // A pointer to a member function begins with the address of the function (Itanium C++ ABI, 2.3).
  const auto call = &F::operator();
  const void* code;
  std::memcpy(&code, &call, sizeof code);
  return code;
}
template <class F>
const void* code_of(long) {
  return nullptr;
}

/// The closure is passed by value, so the caller's closure can stay in registers.
template <class F>
GRAPPA_NOINLINE void scan_closure(F closure) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&closure);  // padding holds stale data
#endif
#endif
  the_closure_scan(&closure, sizeof(F), ClosureType{type_signature<F>(), code_of<F>(0)});
}

/// In checked mode, aborts the job if the closure captures addresses of this core. From: any.
template <class F>
typename std::enable_if<IsChecked<F>::value>::type check_closure(const F& closure) {
  if (GRAPPA_UNLIKELY(checks_closures())) scan_closure<F>(closure);
}
template <class F>
typename std::enable_if<!IsChecked<F>::value>::type check_closure(const F&) {}

}  // namespace detail

/// Returns a copy of the closure that checked mode does not search for addresses. Use unchecked()
/// for a closure with numbers that look like addresses, such as two adjacent 32-bit numbers, or
/// with a pointer that is used only on the core where it is valid. From: any.
template <class F>
detail::Unchecked<F> unchecked(const F& body) {
  static_assert(std::is_class<F>::value, "only function objects are checked");
  return detail::Unchecked<F>(body);
}

}  // namespace Grappa
