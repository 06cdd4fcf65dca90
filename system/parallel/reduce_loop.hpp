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

#include "system/base/ids.hpp"
#include "system/global/address.hpp"
#include "system/message/closure_check.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/reduce.hpp"

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

/// The body of a loop that combines the results of `*body`. Its arguments are those of `*body`.
template <class R, class F, class Op>
struct AddResult {
  PartialResult<R>* partial;
  F* body;
  Op* op;

  template <class... Args>
  auto operator()(Args&&... args) const -> decltype(static_cast<void>((*body)(args...))) {
    const R result = (*body)(args...);
    partial->add(result, *op);
  }
};

/// Runs the part of a loop on this core: an IndexPart or an ElementPart.
template <class R, class F, class Op, class Part>
struct ReduceHere {
  F body;
  Op op;
  Part part;

  PartialResult<R> operator()() {
    PartialResult<R> partial = {R(), false};
    part.body = {&partial, &body, &op};
    Part& loop = part;
    finish([&loop] { loop(); });
    return partial;
  }
};

template <class R, class Here>
R reduce_loop(const R& initial, Here here) {
  GatherNode<PartialResult<R>> node(cores());
  finish([&node, &here]() noexcept { node.gather(here); });
  const int core_0 = (cores() - mycore()) % cores();  // its index in the values
  PartialResult<R> all = {initial, true};
  for (int core = 0; core < cores(); ++core) {
    const PartialResult<R>& part = node.values()[(core_0 + core) % cores()];
    if (part.exists) all.add(part.value, here.op);
  }
  return all.value;
}

/// The operation of sum().
template <class R>
struct Plus {
  static_assert(!std::is_same<R, bool>::value,
                "the body of sum returns bool, whose sum is at most 1: return int64_t");
  R operator()(const R& a, const R& b) const { return static_cast<R>(a + b); }
};

/// The result of a body over elements, of either form.
template <class T, class F, bool = is_callable<F, T&>::value,
          bool = is_callable<F, int64_t, T&>::value>
struct ElementResult : call_result<F, T&> {};
template <class T, class F>
struct ElementResult<T, F, false, true> : call_result<F, int64_t, T&> {};
template <class T, class F>
struct ElementResult<T, F, false, false> {
  static_assert(is_callable<F, T&>::value,
                "the body of sum or reduce over a global array takes (T&) or (int64_t i, T&)");
  typedef int type;
};

/// The result of a body over indices.
template <class F, bool = is_callable<F, int64_t>::value>
struct IndexResult : call_result<F, int64_t> {};
template <class F>
struct IndexResult<F, false> {
  static_assert(is_callable<F, int64_t>::value,
                "the body of sum or reduce over indices takes (int64_t i)");
  typedef int type;
};

template <class R, class Result>
void check_result_type() {
  static_assert(std::is_same<R, typename std::decay<Result>::type>::value,
                "the body of reduce must return the type of the initial value: pass int64_t{0} if "
                "it returns int64_t");
}

}  // namespace detail

/// Combines `initial` and the results of `body` for the `n` elements at `base`. Body: (T&), or
/// (int64_t i, T&) with i counted from `base`. `op(a, b)` is associative and commutative. The body
/// returns the type of `initial`. It runs at the owner of the element, and may suspend; `op` must
/// not. Returns `initial` if n is 0.
template <class T, class R, class F, class Op>
R reduce(GlobalAddress<T> base, int64_t n, R initial, F body, Op op) {
  typedef detail::ElementPart<0, T, detail::AddResult<R, F, Op>> Part;
  detail::check_result_type<R, typename detail::ElementResult<T, F>::type>();
  detail::check_array("a reduction", base, n);
  detail::check_closure(body);
  detail::check_closure(op);
  return detail::reduce_loop<R>(initial,
                                detail::ReduceHere<R, F, Op, Part>{body, op, {{}, base, n}});
}

/// The same for the results of `body(i)` for i = start ... start + n - 1, split evenly over all
/// cores.
template <class R, class F, class Op>
R reduce(int64_t start, int64_t n, R initial, F body, Op op) {
  typedef detail::IndexPart<bound, 0, detail::AddResult<R, F, Op>> Part;
  detail::check_result_type<R, typename detail::IndexResult<F>::type>();
  detail::check_iterations(start, n);
  detail::check_closure(body);
  detail::check_closure(op);
  return detail::reduce_loop<R>(initial,
                                detail::ReduceHere<R, F, Op, Part>{body, op, {{}, start, n}});
}

/// The sum of the results of `body`, with the types and forms of reduce. The sum has the type of
/// the results, so narrow integers may overflow.
template <class T, class F>
typename std::decay<typename detail::ElementResult<T, F>::type>::type sum(GlobalAddress<T> base,
                                                                          int64_t n, F body) {
  typedef typename std::decay<typename detail::ElementResult<T, F>::type>::type R;
  return reduce(base, n, R(), body, detail::Plus<R>());
}
template <class F>
typename std::decay<typename detail::IndexResult<F>::type>::type sum(int64_t start, int64_t n,
                                                                     F body) {
  typedef typename std::decay<typename detail::IndexResult<F>::type>::type R;
  return reduce(start, n, R(), body, detail::Plus<R>());
}

}  // namespace Grappa
