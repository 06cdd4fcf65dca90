#pragma once

/// In checked mode (base/checked_mode.hpp), searches the captures of closures that run, or may run,
/// on another core for addresses of this core.
///
/// A reference, `this` or a pointer that travels means something else at its destination, or
/// nothing. Each public function that takes a closure which travels calls check_closure() for it,
/// also if the destination is this core, so that a mistake is found on one core too. The runtime's
/// own messages may carry pointers and are not searched. Wrappers around the user's closure are not
/// searched either, so the report names the user's type.
///
/// Off, it costs a test of one word for each loop, task, future, or blocking delegate to another
/// core. Other delegates have no test: in checked mode no message type has a table of open runs, so
/// each message takes the slow path (Aggregator::emplace), and the_direct_core is no core.

#include "system/base/compiler.hpp"
#include "system/base/type_name.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace Grappa {
namespace detail {

/// A closure's type, for reports.
struct ClosureType {
  const char* signature;  // type_signature() of it
  const void* code;       // where its operator() begins; null if that is a template or overloaded
};

/// Aborts the job if a word of the closure is an address of this core's memory.
typedef void (*ClosureScan)(const void* closure, size_t bytes, const ClosureType& type);

/// Null unless this is checked mode. Set by init.
extern ClosureScan the_closure_scan;

inline bool checks_closures() { return the_closure_scan != nullptr; }

/// A function object that is exempt from the check. (The name of the parameter is one that no
/// member of a program's function object has, or compilers would warn of it.)
template <class F>
struct Unchecked : F {
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

/// Takes a copy, so that the caller's closure can stay in registers.
template <class F>
GRAPPA_NOINLINE void scan_closure(F closure) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&closure);  // which holds what was there before
#endif
#endif
  the_closure_scan(&closure, sizeof(F), ClosureType{type_signature<F>(), code_of<F>(0)});
}

template <class F>
void check_closure(const F& closure, std::true_type) {
  if (GRAPPA_UNLIKELY(checks_closures())) scan_closure<F>(closure);
}
template <class F>
void check_closure(const F&, std::false_type) {}

/// Aborts the job if this is checked mode and the closure captures addresses of this core. From:
/// any.
template <class F>
void check_closure(const F& closure) {
  check_closure(closure, std::integral_constant<bool, IsChecked<F>::value>());
}

}  // namespace detail

/// The same closure, exempt from the search for addresses in checked mode: for one that captures
/// numbers which look like addresses, such as two adjacent 32-bit numbers, or a pointer that it
/// brings back to its core. From: any.
template <class F>
detail::Unchecked<F> unchecked(const F& body) {
  static_assert(std::is_class<F>::value, "only function objects are checked");
  return detail::Unchecked<F>(body);
}

}  // namespace Grappa
