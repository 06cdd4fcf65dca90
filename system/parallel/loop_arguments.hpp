#pragma once

/// The template arguments of loops: any of four, in any order.
///
/// `forall<async, &event, 64>(...)` and `forall<64, async>(...)` are both right: a task mode, a
/// synchronisation mode, an event and a threshold. C++11 has no template parameter that takes any
/// of them, so there is an overload for each of the 64 ways to choose some and put them in order.
/// Each is one line that a macro writes; it turns what it is given into a LoopOptions and calls the
/// one function that does the work.

#include "system/global/delegate.hpp"
#include "system/parallel/global_completion_event.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// What a loop is asked for. `with_...` is the same with one thing set.
template <TaskMode M = bound, SyncMode S = blocking, GlobalCompletionEvent* E = nullptr,
          int64_t T = 0>
struct LoopOptions {
  static_assert(T >= 0,
                "the threshold of a loop is how many iterations a task takes at a time, above 0; "
                "leave it out for that of --loop_threshold");

  static constexpr TaskMode task_mode() { return M; }
  static constexpr SyncMode sync_mode() { return S; }
  static constexpr GlobalCompletionEvent* event() { return E; }  // null: the caller's scope
  static constexpr int64_t threshold() { return T; }             // 0: that of the flag

  typedef IsEvent<E> HasEvent;

  /// With an event: runs `body()` in it and waits for it. C++11 takes no event() for an argument.
  template <class F>
  static void finish(F body) {
    Grappa::finish<E>(body);
  }

  /// What matters to a core's part of the loop, so that fewer kinds of parts are compiled.
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

// Parameters are called by their letters: task Mode, Synchronisation, Event, Threshold.
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

// Those that begin with `a`: alone, then b, c or d behind it, and so on.
#define GRAPPA_LOOP_BEGINNING_WITH(X, a, b, c, d)                                                  \
  GRAPPA_LOOP_1(X, a)                                                                              \
  GRAPPA_LOOP_2(X, a, b)  GRAPPA_LOOP_3(X, a, b, c)  GRAPPA_LOOP_4(X, a, b, c, d)                  \
                          GRAPPA_LOOP_3(X, a, b, d)  GRAPPA_LOOP_4(X, a, b, d, c)                  \
  GRAPPA_LOOP_2(X, a, c)  GRAPPA_LOOP_3(X, a, c, b)  GRAPPA_LOOP_4(X, a, c, b, d)                  \
                          GRAPPA_LOOP_3(X, a, c, d)  GRAPPA_LOOP_4(X, a, c, d, b)                  \
  GRAPPA_LOOP_2(X, a, d)  GRAPPA_LOOP_3(X, a, d, b)  GRAPPA_LOOP_4(X, a, d, b, c)                  \
                          GRAPPA_LOOP_3(X, a, d, c)  GRAPPA_LOOP_4(X, a, d, c, b)
// clang-format on

/// Expands X((template parameters), options) for each of the 64 ways, where `options` is the
/// LoopOptions that they amount to. GRAPPA_LOOP_UNPACK takes the parentheses off.
#define GRAPPA_FOR_EACH_LOOP_ARGUMENTS(X)   \
  GRAPPA_LOOP_BEGINNING_WITH(X, M, S, E, T) \
  GRAPPA_LOOP_BEGINNING_WITH(X, S, M, E, T) \
  GRAPPA_LOOP_BEGINNING_WITH(X, E, M, S, T) \
  GRAPPA_LOOP_BEGINNING_WITH(X, T, M, S, E)
#define GRAPPA_LOOP_UNPACK(...) __VA_ARGS__
