#pragma once

/// Parallel loops.
///
/// Iterations over a global array run on the cores that own the elements, those over a symmetric
/// object on all; those over indices are dealt out evenly. They run in tasks, at most num_workers
/// at a time on a core. Bodies are copied to each core as bytes; the iterations of one core share a
/// copy. A blocking loop returns when all iterations have ended and all that they started.
///
/// Template arguments, any of these in any order:
/// - `async`: the loop joins the caller's scope, and the call returns at once.
/// - `&event`, a GlobalCompletionEvent: the loop is work of that event. A blocking loop then waits
///   for the event, so for all that belongs to it; it may not be called by work of the event.
/// - `unbound`: idle cores may take iterations over indices from others, so that skewed work is
///   balanced. Each task then has a copy of the body, which names nothing of its core. Elements of
///   arrays are touched by their owners alone, so there it changes nothing.
/// - a number: how many iterations a task takes at a time, 0 for what --loop_threshold says.
///
/// Over symmetric objects the last two are without meaning: each core runs its body once.
///
/// Every form: From: task. Suspends: until the loop has ended; async: no, but with an event as
/// GlobalCompletionEvent::enroll. Messages: to each core with iterations one, along a tree
/// (spread.hpp), and one back.

#include "system/base/check.hpp"
#include "system/global/address.hpp"
#include "system/global/live_allocations.hpp"
#include "system/message/closure_check.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/local_loop.hpp"
#include "system/parallel/loop_arguments.hpp"
#include "system/parallel/loop_body.hpp"
#include "system/parallel/split_loop.hpp"
#include "system/parallel/spread.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {

/// Runs iterations start ... start + n - 1 of this core.
template <class Options, class F>
typename std::enable_if<Options::task_mode() == TaskMode::Bound>::type run_indices(int64_t start,
                                                                                   int64_t n,
                                                                                   const F& body) {
  LocalLoop<IndexBody<F>>::run(n, loop_chunk(n, Options::threshold()), {body, start});
}

template <class Options, class F>
typename std::enable_if<Options::task_mode() == TaskMode::Unbound>::type run_indices(
    int64_t start, int64_t n, const F& body) {
  SplitLoop<IndexForm<F>, F>{body, start, n, loop_chunk(n, Options::threshold())}();
}

/// This core's share of [start, start + n): contiguous, and no core has more than one above
/// another.
template <class Options, class F>
struct IndexPart {
  F body;
  int64_t start;
  int64_t n;
  void operator()() {
    const int64_t each = n / cores(), larger = n % cores();
    const int64_t me = mycore();
    const int64_t first = me * each + std::min<int64_t>(me, larger);
    run_indices<Options>(start + first, each + (me < larger ? 1 : 0), body);
  }
};

template <int64_t threshold, class T, class F>
struct ElementPart {
  F body;
  GlobalAddress<T> base;
  int64_t n;
  void operator()() {
    typedef ElementBody<T, F, element_form<T, F>::value> Here;
    const LocalSpan<T> mine = iterate_local(base, n);
    LocalLoop<Here>::run(mine.size(), loop_chunk(mine.size(), threshold), {body, mine});
  }
};

template <class T, class F>
struct ObjectPart {
  F body;
  GlobalAddress<T> object;
  void operator()() { body(*object.pointer()); }
};

/// A blocking loop begins in the calling task, which waits for it; an async one in a task of its
/// own.
template <class Options>
struct LoopStart {
  template <class Start>
  static void blocking_or_async(const Start& start) {
    begin(start, std::integral_constant<SyncMode, Options::sync_mode()>(),
          typename Options::HasEvent::type());
  }

 private:
  typedef std::integral_constant<SyncMode, SyncMode::Blocking> Blocking;
  typedef std::integral_constant<SyncMode, SyncMode::Async> Async;

  template <class Start>
  static void begin(const Start& start, Blocking, std::false_type) {
    finish(start);
  }
  template <class Start>
  static void begin(const Start& start, Blocking, std::true_type) {
    Options::finish(start);
  }
  template <class Start, class HasEvent>
  static void begin(const Start& start, Async, HasEvent) {
    const InEvent in(Options::event());
    spawn(start);
  }
};

template <class Options, class F>
void loop_here(int64_t start, int64_t n, const F& body) {
  check_iterations(start, n);
  if (Options::task_mode() == TaskMode::Unbound) check_closure(body);
  LoopStart<Options>::blocking_or_async([start, n, body] { run_indices<Options>(start, n, body); });
}

template <class Options, class F>
void loop_over_indices(int64_t start, int64_t n, const F& body) {
  check_iterations(start, n);
  check_closure(body);
  const IndexPart<typename Options::OfOneCore, F> part = {body, start, n};
  LoopStart<Options>::blocking_or_async([part] {
    start_on_cores(part.n < cores() ? 0 : mycore(),
                   static_cast<int>(std::min<int64_t>(part.n, cores())), part);
  });
}

template <class Options, class T, class F>
void loop_over_elements(GlobalAddress<T> base, int64_t n, const F& body) {
  static_assert(element_form<T, F>::value != ElementForm::None,
                "the body of a loop over a global array takes (T&), (int64_t i, T&) or "
                "(int64_t first, int64_t count, T*)");
  check_iterations(0, n);
  check_closure(body);
  GRAPPA_CHECK(base.is_linear()) << "forall over " << base
                                 << ", which is not an address of the global heap";
  check_allocated(base.raw_bits(), static_cast<uint64_t>(n) * sizeof(T), "forall");
  const ElementPart<Options::threshold(), T, F> part = {body, base, n};
  LoopStart<Options>::blocking_or_async([part] { start_at_owners(part.base, part.n, part); });
}

template <class Options, class T, class F>
void loop_over_cores(GlobalAddress<T> object, const F& body) {
  static_assert(is_callable<F, T&>::value,
                "the body of a loop over a symmetric object takes (T&), this core's object; a loop "
                "over an array needs the number of elements: forall(base, n, body)");
  check_loop_over_cores(GlobalAddress<void>::from_raw(object.raw_bits()));
  check_closure(body);
  const ObjectPart<T, F> part = {body, object};
  LoopStart<Options>::blocking_or_async([part] { start_on_cores(mycore(), cores(), part); });
}

/// What forall(address, body) means for an object of type T. Containers, whose loops go over their
/// elements, specialise it.
template <class T>
struct LoopOver {
  template <class Options, class F>
  static void start(GlobalAddress<T> object, const F& body) {
    loop_over_cores<Options>(object, body);
  }
};

}  // namespace detail

/// Iterations start ... start + n - 1 on this core.
/// Body: (int64_t i) or (int64_t first, int64_t count).
template <class F>
void forall_here(int64_t start, int64_t n, F body) {
  detail::loop_here<detail::LoopOptions<>>(start, n, body);
}

/// Iterations start ... start + n - 1, split evenly over all cores.
/// Body: (int64_t i) or (int64_t first, int64_t count).
template <class F>
void forall(int64_t start, int64_t n, F body) {
  detail::loop_over_indices<detail::LoopOptions<>>(start, n, body);
}

/// The `n` elements of a global array from `base` on, each at its owner.
/// Body: (T&), (int64_t i, T&) with i counted from `base`, or (int64_t first, int64_t count, T*)
/// for ranges that are contiguous in the array.
template <class T, class F>
void forall(GlobalAddress<T> base, int64_t n, F body) {
  detail::loop_over_elements<detail::LoopOptions<>>(base, n, body);
}

/// A symmetric object, or one of file scope: one call on each core, in a task there, with the
/// object of that core. Body: (T&). A global container: its elements (structures/).
template <class T, class F>
void forall(GlobalAddress<T> symmetric, F body) {
  detail::LoopOver<T>::template start<detail::LoopOptions<>>(symmetric, body);
}

// The same with template arguments.
#define GRAPPA_LOOPS(parameters, ...)                                  \
  template <GRAPPA_LOOP_UNPACK parameters, class F>                    \
  void forall_here(int64_t start, int64_t n, F body) {                 \
    detail::loop_here<__VA_ARGS__>(start, n, body);                    \
  }                                                                    \
  template <GRAPPA_LOOP_UNPACK parameters, class F>                    \
  void forall(int64_t start, int64_t n, F body) {                      \
    detail::loop_over_indices<__VA_ARGS__>(start, n, body);            \
  }                                                                    \
  template <GRAPPA_LOOP_UNPACK parameters, class V, class F>           \
  void forall(GlobalAddress<V> base, int64_t n, F body) {              \
    detail::loop_over_elements<__VA_ARGS__>(base, n, body);            \
  }                                                                    \
  template <GRAPPA_LOOP_UNPACK parameters, class V, class F>           \
  void forall(GlobalAddress<V> symmetric, F body) {                    \
    detail::LoopOver<V>::template start<__VA_ARGS__>(symmetric, body); \
  }
GRAPPA_FOR_EACH_LOOP_ARGUMENTS(GRAPPA_LOOPS)
#undef GRAPPA_LOOPS

}  // namespace Grappa
