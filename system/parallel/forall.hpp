#pragma once

/// Parallel loops.
///
/// All iterations run in tasks. The body is copied to each core as bytes, and the iterations of a
/// core share this copy. A blocking loop returns when all iterations, and all work that they have
/// started, have ended.
///
/// Template arguments, any of these in this order, as in `forall<unbound, async, &event, 64>(...)`:
/// - `unbound`: idle cores may steal iterations over indices. Each task has a copy of the body,
///   which must not refer to objects of this core only. Other loops ignore `unbound`.
/// - `async`: the loop joins the caller's scope, and the call returns at once.
/// - `&event`, a GlobalCompletionEvent: the loop is work of that event. A blocking loop then waits
///   for the event, and so for all work of the event. Work of the event must not call such a loop.
/// - a number: the iterations that a task runs at a time. 0 means the value of --loop_threshold.
///
/// All forms: From: task. Suspends: until the loop has ended. An async loop suspends only if it has
/// an event and GlobalCompletionEvent::enroll suspends. Messages: along a tree (on_all_cores.hpp),
/// 1 to each core with iterations, and 1 back.

#include "system/base/check.hpp"
#include "system/base/ids.hpp"
#include "system/global/address.hpp"
#include "system/message/closure_check.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/local_loop.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/steal.hpp"
#include "system/tasking/task.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {

template <TaskMode M = bound, SyncMode S = blocking, GlobalCompletionEvent* E = nullptr,
          int64_t T = 0>
struct LoopOptions {
  static_assert(T >= 0,
                "the threshold of a loop is the number of iterations that a task runs at a time, "
                "above 0; omit it to use --loop_threshold");

  static constexpr TaskMode task_mode() { return M; }
  static constexpr SyncMode sync_mode() { return S; }
  static constexpr GlobalCompletionEvent* event() { return E; }  // null: the caller's scope
  static constexpr int64_t threshold() { return T; }             // 0: --loop_threshold
};

/// A blocking loop starts in the calling task, which waits. An async loop starts in a new task.
template <class Options>
struct LoopStart {
  template <class Start>
  static void blocking_or_async(const Start& start) {
    if (Options::sync_mode() == SyncMode::Blocking) return finish_in(Options::event(), start);
    const InEvent in(Options::event());
    spawn(start);
  }
};

template <class F>
struct IndexBody {
  typedef typename is_callable<F, int64_t, int64_t>::type TakesRange;
  static_assert(TakesRange::value || is_callable<F, int64_t>::value,
                "the body of a loop over indices takes (int64_t i) or (int64_t first, int64_t "
                "count)");

  F body;

  void operator()(int64_t first, int64_t count) { run(first, count, TakesRange()); }

 private:
  void run(int64_t first, int64_t count, std::true_type) { body(first, count); }
  void run(int64_t first, int64_t count, std::false_type) {
    for (int64_t i = first; i < first + count; ++i) body(i);
  }
};

enum class ElementForm { Element, IndexAndElement, Range, None };

template <class T, class F>
struct element_form
    : std::integral_constant<ElementForm,
                             is_callable<F, T&>::value            ? ElementForm::Element
                             : is_callable<F, int64_t, T&>::value ? ElementForm::IndexAndElement
                             : is_callable<F, int64_t, int64_t, T*>::value ? ElementForm::Range
                                                                           : ElementForm::None> {};

/// Calls visit(index, count, elements) for each contiguous piece of the array on this core.
template <class T, class Visit>
void for_each_piece(const LocalSpan<T>& mine, int64_t first, int64_t count, Visit& visit) {
  constexpr int64_t kPerBlock = block_size / static_cast<int64_t>(sizeof(T));
  if (count <= 0) return;
  T* element = mine.begin() + first;
  int64_t index = mine.index_of(element);
  const uint64_t in_block = reinterpret_cast<uint64_t>(element) % block_size / sizeof(T);
  int64_t piece = cores() == 1 ? count : kPerBlock - static_cast<int64_t>(in_block);
  const int64_t of_others = (cores() - 1) * kPerBlock;  // elements between two blocks of this core
  while (count > piece) {
    visit(index, piece, element);
    index += piece + of_others;
    element += piece;
    count -= piece;
    piece = kPerBlock;
  }
  visit(index, count, element);
}

/// Runs a body of any form on ranges of this core's part of the array.
template <class T, class F>
struct ElementBody {
  F body;
  LocalSpan<T> mine;

  void operator()(int64_t first, int64_t count) { run(first, count, element_form<T, F>()); }

 private:
  template <ElementForm form>
  using Is = std::integral_constant<ElementForm, form>;

  void run(int64_t first, int64_t count, Is<ElementForm::Element>) {
    T* end = mine.begin() + first + count;
    for (T* element = mine.begin() + first; element != end; ++element) body(*element);
  }
  void run(int64_t first, int64_t count, Is<ElementForm::IndexAndElement>) {
    F& each = body;
    const auto visit = [&each](int64_t index, int64_t n, T* elements) {
      for (int64_t k = 0; k < n; ++k) each(index + k, elements[k]);
    };
    for_each_piece(mine, first, count, visit);
  }
  void run(int64_t first, int64_t count, Is<ElementForm::Range>) {
    for_each_piece(mine, first, count, body);
  }
};

template <TaskMode mode, int64_t threshold, class F>
void run_indices(int64_t start, int64_t n, const F& body) {
  typedef IndexBody<F> Body;
  constexpr bool kBound = mode == TaskMode::Bound;
  typedef typename std::conditional<kBound, LocalLoop<Body>, SplitLoop<Body>>::type Loop;
  Loop::run(start, n, loop_chunk(n, threshold), {body});
}

/// This core's share of [start, start + n), at most one iteration larger than other shares.
template <TaskMode mode, int64_t threshold, class F>
struct IndexPart {
  F body;
  int64_t start;
  int64_t n;
  void operator()() {
    const int64_t each = n / cores(), larger = n % cores();
    const int64_t me = mycore();
    const int64_t first = me * each + std::min<int64_t>(me, larger);
    run_indices<mode, threshold>(start + first, each + (me < larger ? 1 : 0), body);
  }
};

template <int64_t threshold, class T, class F>
struct ElementPart {
  F body;
  GlobalAddress<T> base;
  int64_t n;
  void operator()() {
    const LocalSpan<T> mine = iterate_local(base, n);
    const int64_t chunk = loop_chunk(mine.size(), threshold);
    LocalLoop<ElementBody<T, F>>::run(0, mine.size(), chunk, {body, mine});
  }
};

template <class T, class F>
struct ObjectPart {
  F body;
  GlobalAddress<T> object;
  void operator()() { body(*object.pointer()); }
};

template <class Options, class F>
void loop_here(int64_t start, int64_t n, const F& body) {
  check_iterations(start, n);
  if (Options::task_mode() == TaskMode::Unbound) check_closure(body);
  LoopStart<Options>::blocking_or_async([start, n, body] {
    run_indices<Options::task_mode(), Options::threshold()>(start, n, body);
  });
}

/// Aborts the job unless [base, base + n) is allocated in the global heap, as far as is checked.
template <class T>
void check_array(const char* loop, GlobalAddress<T> base, int64_t n) {
  check_iterations(0, n);
  GRAPPA_CHECK(base.is_linear()) << loop << " over " << base
                                 << ", which is not an address of the global heap";
  check_allocated(base.raw_bits(), static_cast<uint64_t>(n) * sizeof(T), loop);
}

/// start_loop() runs the loops over indices, arrays and objects. structures/ adds other loops.
template <class Options, class F>
void start_loop(Options, int64_t start, int64_t n, const F& body) {
  check_iterations(start, n);
  check_closure(body);
  const IndexPart<Options::task_mode(), Options::threshold(), F> part = {body, start, n};
  LoopStart<Options>::blocking_or_async([part] {
    start_on_cores(part.n < cores() ? 0 : mycore(),
                   static_cast<int>(std::min<int64_t>(part.n, cores())), part);
  });
}

template <class Options, class T, class F>
void start_loop(Options, GlobalAddress<T> base, int64_t n, const F& body) {
  static_assert(element_form<T, F>::value != ElementForm::None,
                "the body of a loop over a global array takes (T&), (int64_t i, T&) or "
                "(int64_t first, int64_t count, T*)");
  check_array("forall", base, n);
  check_closure(body);
  const ElementPart<Options::threshold(), T, F> part = {body, base, n};
  LoopStart<Options>::blocking_or_async([part] { start_at_owners(part.base, part.n, part); });
}

/// Defines forall(address, body) for an object of type T. By default the loop runs over all cores.
/// Containers loop over their elements: they specialise this template, or define the type `Looped`.
template <class T, class = void>
struct LoopOver {
  template <class Options, class F>
  static void start(GlobalAddress<T> object, const F& body) {
    static_assert(is_callable<F, T&>::value,
                  "the body of a loop over a symmetric object takes (T&), this core's object; a "
                  "loop over an array needs the number of elements: forall(base, n, body)");
    check_loop_over_cores(GlobalAddress<void>::from_raw(object.raw_bits()));
    check_closure(body);
    const ObjectPart<T, F> part = {body, object};
    LoopStart<Options>::blocking_or_async([part] { start_on_cores(mycore(), cores(), part); });
  }
};
template <class T>
struct LoopOver<T, typename std::enable_if<std::is_same<typename T::Looped, T>::value>::type> {
  template <class Options, class F>
  static void start(GlobalAddress<T> structure, const F& body) {
    structure->template start_loop<Options>(body);
  }
};

template <class Options, class T, class F>
void start_loop(Options, GlobalAddress<T> object, const F& body) {
  LoopOver<T>::template start<Options>(object, body);
}

template <class Second, Second second>
struct InWrongOrder {
  static_assert(sizeof(Second) == 0,
                "the template arguments of a loop are in the order task mode, synchronisation "
                "mode, event, threshold: forall<unbound, async, &event, 64>");
};

}  // namespace detail

/// Runs iterations start ... start + n - 1 on this core. Body: as for forall over indices.
template <class F>
void forall_here(int64_t start, int64_t n, F body) {
  detail::loop_here<detail::LoopOptions<>>(start, n, body);
}

/// Runs iterations start ... start + n - 1, split evenly over all cores. Body: (int64_t i) or
/// (int64_t first, int64_t count).
template <class F>
void forall(int64_t start, int64_t n, F body) {
  detail::start_loop(detail::LoopOptions<>(), start, n, body);
}

/// Visits the `n` elements of a global array that start at `base`, each at its owner. Body: (T&),
/// (int64_t i, T&) with i counted from `base`, or (int64_t first, int64_t count, T*) for ranges
/// that are contiguous in the array.
template <class T, class F>
void forall(GlobalAddress<T> base, int64_t n, F body) {
  detail::start_loop(detail::LoopOptions<>(), base, n, body);
}

/// Visits a symmetric or file-scope object on each core, or a container's elements. Body: (T&).
template <class T, class F>
void forall(GlobalAddress<T> symmetric, F body) {
  detail::start_loop(detail::LoopOptions<>(), symmetric, body);
}

// The same loops with template arguments. Each argument may be omitted.
#define GRAPPA_LOOPS(M, S, E, T, ...)                                   \
  template <__VA_ARGS__, class... Args>                                 \
  void forall(Args... args) {                                           \
    start_loop(detail::LoopOptions<M, S, E, T>(), args...);             \
  }                                                                     \
  template <__VA_ARGS__, class F>                                       \
  void forall_here(int64_t start, int64_t n, F body) {                  \
    detail::loop_here<detail::LoopOptions<M, S, E, T>>(start, n, body); \
  }
GRAPPA_LOOPS(mode, sync, event, threshold, TaskMode mode, SyncMode sync = blocking,
             GlobalCompletionEvent* event = nullptr, int64_t threshold = 0)
GRAPPA_LOOPS(mode, sync, nullptr, threshold, TaskMode mode, SyncMode sync, int64_t threshold)
GRAPPA_LOOPS(mode, blocking, event, threshold, TaskMode mode, GlobalCompletionEvent* event,
             int64_t threshold = 0)
GRAPPA_LOOPS(mode, blocking, nullptr, threshold, TaskMode mode, int64_t threshold)
GRAPPA_LOOPS(bound, sync, event, threshold, SyncMode sync, GlobalCompletionEvent* event = nullptr,
             int64_t threshold = 0)
GRAPPA_LOOPS(bound, sync, nullptr, threshold, SyncMode sync, int64_t threshold)
GRAPPA_LOOPS(bound, blocking, event, threshold, GlobalCompletionEvent* event, int64_t threshold = 0)
GRAPPA_LOOPS(bound, blocking, nullptr, threshold, int64_t threshold)
#undef GRAPPA_LOOPS

// Arguments in another order do not compile, unless Grappa::compat declares a better match.
#define GRAPPA_LOOPS_IN_WRONG_ORDER(First, Second)  \
  template <First, Second second>                   \
  detail::InWrongOrder<Second, second> forall(...); \
  template <First, Second second>                   \
  detail::InWrongOrder<Second, second> forall_here(...);
GRAPPA_LOOPS_IN_WRONG_ORDER(SyncMode, TaskMode)
GRAPPA_LOOPS_IN_WRONG_ORDER(GlobalCompletionEvent*, TaskMode)
GRAPPA_LOOPS_IN_WRONG_ORDER(GlobalCompletionEvent*, SyncMode)
GRAPPA_LOOPS_IN_WRONG_ORDER(int64_t, TaskMode)
GRAPPA_LOOPS_IN_WRONG_ORDER(int64_t, SyncMode)
GRAPPA_LOOPS_IN_WRONG_ORDER(int64_t, GlobalCompletionEvent*)
#undef GRAPPA_LOOPS_IN_WRONG_ORDER

}  // namespace Grappa
