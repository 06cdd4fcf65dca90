#pragma once

/// Futures of tasks, and tasks that wait for futures.
///
///     Future<int64_t> degree = spawn_future([v] { return degree_of(v); });
///     Future<bool> large = then(std::move(degree), [](int64_t d) { return d > 1000; });
///     if (large.get()) ...
///
/// A result is as that of a delegate with a payload, and is copied by get(). The tasks run on this
/// core, as work of the caller's scope. `then` and `when_all` start their tasks immediately, and
/// such a task occupies a worker while it waits. So many unfinished futures, or long chains, need
/// as many workers.

#include "system/base/traits.hpp"
#include "system/global/delegate.hpp"
#include "system/global/payload.hpp"
#include "system/global/reply.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa {
namespace detail {

/// Runs a body and stores its result in a reply slot of this core.
template <class R, bool = CopiesAsBytes<R>::value>
struct TaskAnswer {
  static_assert(CanAnswer<R>::value, "");
  template <class F>
  static void store(uint32_t number, F& body) {
    const Answer<R> answer(body);
    Reply<R, false>(number, answer)();
  }
};
template <class R>
struct TaskAnswer<R, false> {
  static_assert(!std::is_reference<R>::value && !HoldsView<R>::value,
                "a task with a future must return a value: no reference, and no View");
  template <class F>
  static void store(uint32_t number, F& body) {
    LongReplySlot<R>::fill_number(number, body(), false);
  }
};

template <class F>
Future<typename call_result<F>::type> start_task_future(F body) {
  typedef typename call_result<F>::type R;
  Future<R> future;
  typename FutureSlot<R>::type* const slot = begin_future(&future, mycore());
  slot->expect();
  const uint32_t number = slot->number();
  spawn([number, body]() mutable { TaskAnswer<R>::store(number, body); });
  return future;
}

/// Runs `body` on the answer of a future.
template <class R, class F>
struct Continuation {
  typedef typename call_result<F, R>::type Result;
  std::shared_ptr<Future<R>> future;
  F body;
  Result operator()() { return body(future->get()); }
};
template <class F>
struct Continuation<void, F> {
  typedef typename call_result<F>::type Result;
  std::shared_ptr<Future<void>> future;
  F body;
  Result operator()() {
    future->wait();
    return body();
  }
};

}  // namespace detail

/// Starts a task that runs `body()`, and returns the future of its result. From: task or handler.
template <class F>
Future<typename detail::call_result<F>::type> spawn_future(F body) {
  return detail::start_task_future(body);
}

/// Starts a task that waits for the answer of `future`, and then runs `body(answer)`, or `body()`
/// for a Future<void>. Returns the future of the result. From: task or handler.
template <class R, class F>
Future<typename detail::Continuation<R, F>::Result> then(Future<R>&& future, F body) {
  const auto owned = std::make_shared<Future<R>>(std::move(future));
  return detail::start_task_future(detail::Continuation<R, F>{owned, body});
}

/// Starts a task that waits for all answers, and returns the future of its end. The vector must
/// stay in its position until then, and no other task may wait for its elements. Afterwards each of
/// them can be read. From: task or handler.
template <class R>
Future<void> when_all(std::vector<Future<R>>* futures) {
  return detail::start_task_future([futures] {
    for (Future<R>& future : *futures) future.wait();
  });
}

}  // namespace Grappa
