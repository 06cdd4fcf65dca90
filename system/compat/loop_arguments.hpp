#pragma once

/// Loops with template arguments in any order, as in programs for the original Grappa:
/// `forall<64, async>(...)`, `forall_here<&event, async>(...)`.
///
/// C++11 has no template parameter that accepts a task mode, a synchronisation mode, an event or a
/// threshold, so each order has an overload. The header system/parallel/forall.hpp defines the
/// overloads for its own order.

#include "system/parallel/forall.hpp"

#include <cstddef>

namespace Grappa {
namespace detail { namespace any_order {

// The values that replace the arguments that an overload does not have. The parameters of an
// overload hide these names.
constexpr TaskMode M = bound;
constexpr SyncMode S = blocking;
constexpr std::nullptr_t E = nullptr;
constexpr int64_t T = 0;

#define GRAPPA_LOOP_PARAMETER_M TaskMode M
#define GRAPPA_LOOP_PARAMETER_S SyncMode S
#define GRAPPA_LOOP_PARAMETER_E GlobalCompletionEvent* E
#define GRAPPA_LOOP_PARAMETER_T int64_t T

#define GRAPPA_LOOPS(...)                               \
  template <__VA_ARGS__, class... Args>                 \
  void forall(Args... args) {                           \
    start_loop(LoopOptions<M, S, E, T>(), args...);     \
  }                                                     \
  template <__VA_ARGS__, class F>                       \
  void forall_here(int64_t start, int64_t n, F body) {  \
    loop_here<LoopOptions<M, S, E, T>>(start, n, body); \
  }
#define GRAPPA_LOOPS_2(a, b) GRAPPA_LOOPS(GRAPPA_LOOP_PARAMETER_##a, GRAPPA_LOOP_PARAMETER_##b)
#define GRAPPA_LOOPS_3(a, b, c) \
  GRAPPA_LOOPS(GRAPPA_LOOP_PARAMETER_##a, GRAPPA_LOOP_PARAMETER_##b, GRAPPA_LOOP_PARAMETER_##c)
#define GRAPPA_LOOPS_4(a, b, c, d)                                                              \
  GRAPPA_LOOPS(GRAPPA_LOOP_PARAMETER_##a, GRAPPA_LOOP_PARAMETER_##b, GRAPPA_LOOP_PARAMETER_##c, \
               GRAPPA_LOOP_PARAMETER_##d)

// clang-format off
GRAPPA_LOOPS_2(S, M)  GRAPPA_LOOPS_2(E, M)  GRAPPA_LOOPS_2(E, S)
GRAPPA_LOOPS_2(T, M)  GRAPPA_LOOPS_2(T, S)  GRAPPA_LOOPS_2(T, E)
GRAPPA_LOOPS_3(M, E, S)  GRAPPA_LOOPS_3(M, T, S)  GRAPPA_LOOPS_3(M, T, E)
GRAPPA_LOOPS_3(S, M, E)  GRAPPA_LOOPS_3(S, M, T)  GRAPPA_LOOPS_3(S, E, M)
GRAPPA_LOOPS_3(S, T, M)  GRAPPA_LOOPS_3(S, T, E)  GRAPPA_LOOPS_3(E, M, S)
GRAPPA_LOOPS_3(E, M, T)  GRAPPA_LOOPS_3(E, S, M)  GRAPPA_LOOPS_3(E, S, T)
GRAPPA_LOOPS_3(E, T, M)  GRAPPA_LOOPS_3(E, T, S)  GRAPPA_LOOPS_3(T, M, S)
GRAPPA_LOOPS_3(T, M, E)  GRAPPA_LOOPS_3(T, S, M)  GRAPPA_LOOPS_3(T, S, E)
GRAPPA_LOOPS_3(T, E, M)  GRAPPA_LOOPS_3(T, E, S)
GRAPPA_LOOPS_4(M, S, T, E)  GRAPPA_LOOPS_4(M, E, S, T)
GRAPPA_LOOPS_4(M, E, T, S)  GRAPPA_LOOPS_4(M, T, S, E)
GRAPPA_LOOPS_4(M, T, E, S)  GRAPPA_LOOPS_4(S, M, E, T)
GRAPPA_LOOPS_4(S, M, T, E)  GRAPPA_LOOPS_4(S, E, M, T)
GRAPPA_LOOPS_4(S, E, T, M)  GRAPPA_LOOPS_4(S, T, M, E)
GRAPPA_LOOPS_4(S, T, E, M)  GRAPPA_LOOPS_4(E, M, S, T)
GRAPPA_LOOPS_4(E, M, T, S)  GRAPPA_LOOPS_4(E, S, M, T)
GRAPPA_LOOPS_4(E, S, T, M)  GRAPPA_LOOPS_4(E, T, M, S)
GRAPPA_LOOPS_4(E, T, S, M)  GRAPPA_LOOPS_4(T, M, S, E)
GRAPPA_LOOPS_4(T, M, E, S)  GRAPPA_LOOPS_4(T, S, M, E)
GRAPPA_LOOPS_4(T, S, E, M)  GRAPPA_LOOPS_4(T, E, M, S)
GRAPPA_LOOPS_4(T, E, S, M)
// clang-format on

#undef GRAPPA_LOOPS
#undef GRAPPA_LOOPS_2
#undef GRAPPA_LOOPS_3
#undef GRAPPA_LOOPS_4
#undef GRAPPA_LOOP_PARAMETER_M
#undef GRAPPA_LOOP_PARAMETER_S
#undef GRAPPA_LOOP_PARAMETER_E
#undef GRAPPA_LOOP_PARAMETER_T

}}  // namespace detail::any_order

using detail::any_order::forall;
using detail::any_order::forall_here;

}  // namespace Grappa
