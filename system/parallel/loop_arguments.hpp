#pragma once

/// The template arguments of loops: up to four, in any order.
///
/// `forall<async, &event, 64>(...)` and `forall<64, async>(...)` are both valid. The arguments are
/// a task mode, a synchronisation mode, an event and a threshold. C++11 has no template parameter
/// that accepts any of them, so there is an overload for each of the 64 ordered selections. A macro
/// generates the overloads. Each overload converts its arguments to a LoopOptions for one function.

#include "system/base/sync_mode.hpp"
#include "system/parallel/global_completion_event.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// The options of a loop. `with_...` is the same type with one option set.
template <TaskMode M = bound, SyncMode S = blocking, GlobalCompletionEvent* E = nullptr,
          int64_t T = 0>
struct LoopOptions {
  static_assert(T >= 0,
                "the threshold of a loop is the number of iterations that a task runs at a time, "
                "above 0; omit it to use --loop_threshold");

  static constexpr TaskMode task_mode() { return M; }
  static constexpr SyncMode sync_mode() { return S; }
  static constexpr GlobalCompletionEvent* event() { return E; }  // null: the caller's scope
  static constexpr int64_t threshold() { return T; }             // 0: the flag's

  typedef IsEvent<E> HasEvent;

  /// For a loop with an event: runs `body()` in the event and waits for the event.
  template <class F>
  static void finish(F body) {
    Grappa::finish<E>(body);
  }

  /// The options that a core's part of the loop uses. With fewer options, fewer parts are compiled.
  typedef LoopOptions<M, blocking, nullptr, T> OfOneCore;

  template <TaskMode N>
  using with_M = LoopOptions<N, S, E, T>;
  template <SyncMode N>
  using with_S = LoopOptions<M, N, E, T>;
  template <GlobalCompletionEvent* N>
  using with_E = LoopOptions<M, S, N, T>;
  template <int64_t N>
  using with_T = LoopOptions<M, S, E, N>;
};

}  // namespace detail
}  // namespace Grappa

// Parameters are named by letters: task Mode, Synchronisation, Event, Threshold.
#define GRAPPA_LOOP_PARAMETER_M ::Grappa::TaskMode M
#define GRAPPA_LOOP_PARAMETER_S ::Grappa::SyncMode S
#define GRAPPA_LOOP_PARAMETER_E ::Grappa::GlobalCompletionEvent* E
#define GRAPPA_LOOP_PARAMETER_T int64_t T

// clang-format off
#define GRAPPA_LOOP_1(X, a)          \
  X((GRAPPA_LOOP_PARAMETER_##a),     \
    typename ::Grappa::detail::LoopOptions<>::template with_##a<a>)
#define GRAPPA_LOOP_2(X, a, b)                                  \
  X((GRAPPA_LOOP_PARAMETER_##a, GRAPPA_LOOP_PARAMETER_##b),     \
    typename ::Grappa::detail::LoopOptions<>::template with_##a<a>::template with_##b<b>)
#define GRAPPA_LOOP_3(X, a, b, c)                               \
  X((GRAPPA_LOOP_PARAMETER_##a, GRAPPA_LOOP_PARAMETER_##b,      \
     GRAPPA_LOOP_PARAMETER_##c),                                \
    typename ::Grappa::detail::LoopOptions<>::template with_##a<a>::template with_##b<b> \
        ::template with_##c<c>)
#define GRAPPA_LOOP_4(X, a, b, c, d)                            \
  X((GRAPPA_LOOP_PARAMETER_##a, GRAPPA_LOOP_PARAMETER_##b,      \
     GRAPPA_LOOP_PARAMETER_##c, GRAPPA_LOOP_PARAMETER_##d),     \
    typename ::Grappa::detail::LoopOptions<>::template with_##a<a>::template with_##b<b> \
        ::template with_##c<c>::template with_##d<d>)

// The selections that begin with `a`: `a` alone, then followed by b, c or d, and so on.
#define GRAPPA_LOOP_BEGINNING_WITH(X, a, b, c, d)                                                  \
  GRAPPA_LOOP_1(X, a)                                                                              \
  GRAPPA_LOOP_2(X, a, b)  GRAPPA_LOOP_3(X, a, b, c)  GRAPPA_LOOP_4(X, a, b, c, d)                  \
                          GRAPPA_LOOP_3(X, a, b, d)  GRAPPA_LOOP_4(X, a, b, d, c)                  \
  GRAPPA_LOOP_2(X, a, c)  GRAPPA_LOOP_3(X, a, c, b)  GRAPPA_LOOP_4(X, a, c, b, d)                  \
                          GRAPPA_LOOP_3(X, a, c, d)  GRAPPA_LOOP_4(X, a, c, d, b)                  \
  GRAPPA_LOOP_2(X, a, d)  GRAPPA_LOOP_3(X, a, d, b)  GRAPPA_LOOP_4(X, a, d, b, c)                  \
                          GRAPPA_LOOP_3(X, a, d, c)  GRAPPA_LOOP_4(X, a, d, c, b)
// clang-format on

/// Expands X((template parameters), options) for each of the 64 selections, where `options` is the
/// resulting LoopOptions. GRAPPA_LOOP_UNPACK removes the parentheses.
#define GRAPPA_FOR_EACH_LOOP_ARGUMENTS(X)   \
  GRAPPA_LOOP_BEGINNING_WITH(X, M, S, E, T) \
  GRAPPA_LOOP_BEGINNING_WITH(X, S, M, E, T) \
  GRAPPA_LOOP_BEGINNING_WITH(X, E, M, S, T) \
  GRAPPA_LOOP_BEGINNING_WITH(X, T, M, S, E)
#define GRAPPA_LOOP_UNPACK(...) __VA_ARGS__
