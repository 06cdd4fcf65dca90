#pragma once

/// Parallel loops.
///
/// Iterations run on the core that owns them, in tasks of that core, at most num_workers at a time.
/// A blocking loop returns when all iterations have ended and all that they started; with `async`
/// the loop joins the caller's scope and the call returns at once. Bodies are copied to each core
/// as bytes; the iterations of one core share a copy. Every form: From: task. Suspends: until the
/// loop has ended; async: no. Messages: about 2 for each other core.

#include "system/base/traits.hpp"
#include "system/global/delegate.hpp"
#include "system/global/local_span.hpp"
#include "system/message/send.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/local_loop.hpp"

#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {

/// Turns the forms of an index body into (first, count).
template <class F, bool TakesRange>
struct IndexBody {
  F body;
  int64_t start;
  void operator()(int64_t first, int64_t count) {
    for (int64_t i = start + first; i < start + first + count; ++i) body(i);
  }
};

template <class F>
struct IndexBody<F, true> {
  F body;
  int64_t start;
  void operator()(int64_t first, int64_t count) { body(start + first, count); }
};

template <class F>
IndexBody<F, is_callable<F, int64_t, int64_t>::value> index_body(const F& body, int64_t start) {
  static_assert(
      is_callable<F, int64_t>::value || is_callable<F, int64_t, int64_t>::value,
      "the body of a loop over indices takes (int64_t i) or (int64_t first, int64_t count)");
  return {body, start};
}

enum class ElementForm { Element, IndexAndElement, Range, None };

template <class T, class F>
struct element_form
    : std::integral_constant<ElementForm,
                             is_callable<F, T&>::value            ? ElementForm::Element
                             : is_callable<F, int64_t, T&>::value ? ElementForm::IndexAndElement
                             : is_callable<F, int64_t, int64_t, T*>::value ? ElementForm::Range
                                                                           : ElementForm::None> {};

/// Turns the forms of an array body into (first, count), counted along this core's part of the
/// array.
template <class T, class F, ElementForm>
struct ElementBody;

template <class T, class F>
struct ElementBody<T, F, ElementForm::Element> {
  F body;
  LocalSpan<T> mine;
  void operator()(int64_t first, int64_t count) {
    T* end = mine.begin() + first + count;
    for (T* element = mine.begin() + first; element != end; ++element) body(*element);
  }
};

/// Calls `visit(index, count, elements)` for each piece of this core's part that is contiguous in
/// the array: a block, or all of it on a single core.
template <class T, class Visit>
void for_each_piece(const LocalSpan<T>& mine, int64_t first, int64_t count, Visit visit) {
  constexpr int64_t kPerBlock = block_size / static_cast<int64_t>(sizeof(T));
  while (count > 0) {
    T* element = mine.begin() + first;
    const uint64_t in_block = reinterpret_cast<uint64_t>(element) % block_size / sizeof(T);
    const int64_t left_in_block = kPerBlock - static_cast<int64_t>(in_block);
    const int64_t piece = cores() == 1 ? count : std::min(count, left_in_block);
    visit(mine.index_of(element), piece, element);
    first += piece;
    count -= piece;
  }
}

template <class T, class F>
struct ElementBody<T, F, ElementForm::IndexAndElement> {
  F body;
  LocalSpan<T> mine;
  void operator()(int64_t first, int64_t count) {
    F& each = body;
    for_each_piece(mine, first, count, [&each](int64_t index, int64_t n, T* elements) {
      for (int64_t k = 0; k < n; ++k) each(index + k, elements[k]);
    });
  }
};

template <class T, class F>
struct ElementBody<T, F, ElementForm::Range> {
  F body;
  LocalSpan<T> mine;
  void operator()(int64_t first, int64_t count) {
    F& each = body;
    for_each_piece(mine, first, count,
                   [&each](int64_t index, int64_t n, T* elements) { each(index, n, elements); });
  }
};

/// Runs `part()` on every core, in the calling task here and in a task elsewhere, in the current
/// scope.
template <class Part>
void start_on_all_cores(const Part& part) {
  static_assert(WireSafe<Part>::value, "");
  for (int k = 1; k < cores(); ++k) {
    send_counted(static_cast<Core>((mycore() + k) % cores()), [part] { spawn(part); });
  }
  Part mine(part);
  mine();
}

/// This core's share of [start, start + n): contiguous, and no core has more than one above
/// another.
template <class F>
struct IndexPart {
  F body;
  int64_t start;
  int64_t n;
  void operator()() {
    const int64_t each = n / cores(), larger = n % cores();
    const int64_t me = mycore();
    const int64_t first = me * each + std::min<int64_t>(me, larger);
    const auto here = index_body(body, start + first);
    LocalLoop<typename std::decay<decltype(here)>::type>::run(each + (me < larger ? 1 : 0), here);
  }
};

template <class T, class F>
struct ElementPart {
  F body;
  GlobalAddress<T> base;
  int64_t n;
  void operator()() {
    typedef ElementBody<T, F, element_form<T, F>::value> Here;
    const LocalSpan<T> mine = iterate_local(base, n);
    LocalLoop<Here>::run(mine.size(), Here{body, mine});
  }
};

/// A blocking loop has a scope of its own, an async one its caller's; the caller takes part at once
/// in the one and starts a task in the other.
template <SyncMode S, class Start>
typename std::enable_if<S == SyncMode::Blocking>::type in_loop_scope(const Start& start) {
  finish(start);
}
template <SyncMode S, class Start>
typename std::enable_if<S == SyncMode::Async>::type in_loop_scope(const Start& start) {
  spawn(start);
}

}  // namespace detail

/// Iterations start ... start + n - 1 on this core.
/// Body: (int64_t i) or (int64_t first, int64_t count).
template <SyncMode S = SyncMode::Blocking, class F>
void forall_here(int64_t start, int64_t n, F body) {
  const auto here = detail::index_body(body, start);
  typedef typename std::decay<decltype(here)>::type Here;
  detail::in_loop_scope<S>([here, n] { detail::LocalLoop<Here>::run(n, here); });
}

/// Iterations start ... start + n - 1, split evenly over all cores.
/// Body: (int64_t i) or (int64_t first, int64_t count).
template <SyncMode S = SyncMode::Blocking, class F>
void forall(int64_t start, int64_t n, F body) {
  const detail::IndexPart<F> part = {body, start, n};
  detail::in_loop_scope<S>([part] { detail::start_on_all_cores(part); });
}

/// The `n` elements of a global array from `base` on, each at its owner.
/// Body: (T&), (int64_t i, T&) with i counted from `base`, or (int64_t first, int64_t count, T*)
/// for ranges that are contiguous in the array.
template <SyncMode S = SyncMode::Blocking, class T, class F>
void forall(GlobalAddress<T> base, int64_t n, F body) {
  static_assert(detail::element_form<T, F>::value != detail::ElementForm::None,
                "the body of a loop over a global array takes (T&), (int64_t i, T&) or "
                "(int64_t first, int64_t count, T*)");
  GRAPPA_CHECK(base.is_linear()) << "forall over " << base
                                 << ", which is not an address of the global heap";
  const detail::ElementPart<T, F> part = {body, base, n};
  detail::in_loop_scope<S>([part] { detail::start_on_all_cores(part); });
}

}  // namespace Grappa
