#pragma once

/// Loops that return a value: a sum, or any reduction.
///
///     const double norm = sum(vector, n, [scale](double& x) { return scale * x * x; });
///     const int64_t even = sum(0, n, [](int64_t i) { return int64_t{i % 2 == 0}; });
///     const auto max = [](int64_t a, int64_t b) { return a < b ? b : a; };
///     const int64_t most = reduce(scores, n, int64_t{0}, [](int64_t& s) { return s; }, max);
///
/// Each core combines the results of its iterations, and the caller combines the cores in order.
/// The iterations of a core are combined as they end, so a sum of floating-point numbers may differ
/// in its last bits from run to run if bodies suspend.
///
/// All functions: From: task. Suspends: until the loop has ended. Messages: about 3 for each other
/// core. Bodies and operations are copied to each core as bytes. The result of a body is trivially
/// copyable.

#include "system/global/address.hpp"
#include "system/message/closure_check.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/reduce.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Grappa {
namespace detail {

/// The combined results on one core. `value` is meaningless until there is one.
template <class R>
struct PartialResult {
  R value;
  bool exists;

  template <class Op>
  void add(const R& result, Op& op) {
    value = exists ? op(value, result) : result;
    exists = true;
  }
};

/// Combines the results of a loop of this core. Loop: run(body) calls body(R) for each iteration.
template <class R, class Loop, class Op>
struct ReduceHere {
  Loop loop;
  Op op;

  PartialResult<R> operator()() {
    PartialResult<R> partial = {R(), false};
    Op& combine = op;
    loop.run([&partial, &combine](const R& result) { partial.add(result, combine); });
    return partial;
  }
};

template <class R, class Loop, class Op>
R reduce_loop(const R& initial, const Loop& loop, Op op) {
  ReduceHere<R, Loop, Op> here = {loop, op};
  GatherNode<PartialResult<R>> node(cores());
  finish([&node, &here]() noexcept { node.gather(here); });
  const int core_0 = (cores() - mycore()) % cores();  // its index in the values
  PartialResult<R> all = {initial, true};
  for (int core = 0; core < cores(); ++core) {
    const PartialResult<R>& part = node.values()[(core_0 + core) % cores()];
    if (part.exists) all.add(part.value, op);
  }
  return all.value;
}

template <class F>
struct LoopOverIndices {
  F body;
  int64_t start;
  int64_t n;

  template <class Take>
  void run(const Take& take) {
    const int64_t each = n / cores(), larger = n % cores(), me = mycore();
    const int64_t first = start + me * each + std::min(me, larger);
    F& mine = body;
    forall_here(first, each + (me < larger ? 1 : 0), [&mine, &take](int64_t i) { take(mine(i)); });
  }
};

template <class T, class F>
struct LoopOverElements {
  F body;
  GlobalAddress<T> base;
  int64_t n;

  template <class Take>
  void run(const Take& take) {
    const LocalSpan<T> mine = iterate_local(base, n);
    F& each = body;
    forall_here(0, mine.size(), [&mine, &each, &take](int64_t k) {
      T* const element = mine.begin() + k;
      take(call(each, mine, element, is_callable<F, T&>()));
    });
  }

 private:
  template <class Each>
  static auto call(Each& each, const LocalSpan<T>&, T* element, std::true_type)
      -> decltype(each(*element)) {
    return each(*element);
  }
  template <class Each>
  static auto call(Each& each, const LocalSpan<T>& mine, T* element, std::false_type)
      -> decltype(each(int64_t(), *element)) {
    return each(mine.index_of(element), *element);
  }
};

/// The operation of sum().
template <class R>
struct Plus {
  static_assert(!std::is_same<R, bool>::value,
                "the body of sum returns bool, whose sum is at most 1: return int64_t");
  R operator()(const R& a, const R& b) const { return static_cast<R>(a + b); }
};

/// The result of a body over elements, of either form.
template <class T, class F, bool = is_callable<F, T&>::value>
struct ElementResult : call_result<F, T&> {};
template <class T, class F>
struct ElementResult<T, F, false> : call_result<F, int64_t, T&> {
  static_assert(is_callable<F, int64_t, T&>::value,
                "the body of sum or reduce over a global array takes (T&) or (int64_t i, T&)");
};

}  // namespace detail

/// Combines `initial` and the results of `body` for the `n` elements at `base`. Body: (T&), or
/// (int64_t i, T&) with i counted from `base`. `op(a, b)` is associative and commutative. The body
/// runs at the owner of the element, and may suspend; `op` must not. Returns `initial` if n is 0.
template <class T, class R, class F, class Op>
R reduce(GlobalAddress<T> base, int64_t n, R initial, F body, Op op) {
  detail::check_closure(body);
  detail::check_closure(op);
  detail::check_iterations(0, n);
  const detail::LoopOverElements<T, F> loop = {body, base, n};
  return detail::reduce_loop<R>(initial, loop, op);
}

/// The same for the results of `body(i)` for i = start ... start + n - 1, split evenly over all
/// cores.
template <class R, class F, class Op>
R reduce(int64_t start, int64_t n, R initial, F body, Op op) {
  static_assert(detail::is_callable<F, int64_t>::value,
                "the body of sum or reduce over indices takes (int64_t i)");
  detail::check_closure(body);
  detail::check_closure(op);
  detail::check_iterations(start, n);
  const detail::LoopOverIndices<F> loop = {body, start, n};
  return detail::reduce_loop<R>(initial, loop, op);
}

/// The sum of the results of `body`, with the types and forms of reduce. The sum has the type of
/// the results, so narrow integers may overflow.
template <class T, class F>
typename detail::ElementResult<T, F>::type sum(GlobalAddress<T> base, int64_t n, F body) {
  typedef typename detail::ElementResult<T, F>::type R;
  return reduce(base, n, R(), body, detail::Plus<R>());
}
template <class F>
typename detail::call_result<F, int64_t>::type sum(int64_t start, int64_t n, F body) {
  typedef typename detail::call_result<F, int64_t>::type R;
  return reduce(start, n, R(), body, detail::Plus<R>());
}

}  // namespace Grappa
