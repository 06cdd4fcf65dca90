#pragma once

/// Tasks of this core that wait for a worker, their bodies, and the scopes that count tasks.

#include "system/base/check.hpp"
#include "system/base/ids.hpp"
#include "system/base/traits.hpp"
#include "system/tasking/suspend.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

/// A type-erased closure without arguments. It runs at most once, on the core that made it. A
/// trivially copyable body of at most inline_bytes() bytes is stored inline, any other body on the
/// heap. A Closure is trivially copyable: its owner calls run_and_destroy() or destroy() once.
class Closure {
 public:
  static constexpr size_t inline_bytes() { return 48; }

  Closure() = default;

  template <class F>
  static Closure make(F&& body) {
    typedef typename std::decay<F>::type Body;
    typedef
        typename std::conditional<fits_inline<Body>::value, Inline<Body>, OnHeap<Body>>::type Kind;
    Closure closure;
    Kind::construct(closure.storage_, std::forward<F>(body));
    static const Operations operations = {Kind::run, type_signature<Body>,
                                          fits_inline<Body>::value};
    closure.operations_ = &operations;
    return closure;
  }

  void run_and_destroy() { operations_->run(storage_); }

  /// Returns or destroys the body. The closure was made from a `Body` and has not run yet.
  template <class Body>
  Body& body() {
    return *static_cast<Body*>(is_inline() ? storage_ : *reinterpret_cast<void**>(storage_));
  }
  template <class Body>
  void destroy() {
    if (!is_inline()) delete &body<Body>();
  }

  bool is_inline() const { return operations_->is_inline; }

  const char* signature() const { return operations_->signature(); }

 private:
  struct Operations {
    void (*run)(void*);
    const char* (*signature)();
    bool is_inline;
  };

  template <class Body>
  struct fits_inline
      : std::integral_constant<bool, std::is_trivially_copyable<Body>::value &&
                                         std::is_trivially_destructible<Body>::value &&
                                         sizeof(Body) <= inline_bytes() &&
                                         alignof(Body) <= alignof(void*)> {};

  template <class Body>
  struct Inline {
    template <class F>
    static void construct(void* storage, F&& body) {
      new (storage) Body(std::forward<F>(body));
    }
    static void run(void* storage) { (*static_cast<Body*>(storage))(); }
  };

  template <class Body>
  struct OnHeap {
    static_assert(alignof(Body) <= alignof(std::max_align_t),
                  "a task's closure is over-aligned: capture a pointer to the object instead");
    template <class F>
    static void construct(void* storage, F&& body) {
      new (storage) Body*(new Body(std::forward<F>(body)));
    }
    static void run(void* storage) {
      const std::unique_ptr<Body> body(*static_cast<Body**>(storage));  // freed even after a throw
      (*body)();
    }
  };

  const Operations* operations_ = nullptr;
  alignas(void*) unsigned char storage_[48];
};

/// The part of a finish scope on one core: a count of open work, and a callback for count 0.
///
/// Every task carries the scope in which it was started, and tasks started by that task join the
/// same scope. A null scope means that no finish waits for the task. parallel/finish_scope derives
/// from this struct and detects completion across cores.
struct TaskScope {
  // Tasks of this core, and messages sent by this core, that have not ended. A message with a
  // payload counts as its number of bytes.
  int64_t open = 0;
  uint64_t wire_id = 0;                   // denotes the scope in message headers; 0: no scope
  void (*drained)(TaskScope*) = nullptr;  // called when `open` is 0; may destroy the scope

  void enroll(int64_t n) {
    GRAPPA_DCHECK(n >= 0) << "enroll of " << n;
    open += n;
  }

  void complete(int64_t n) {
    GRAPPA_DCHECK(n >= 0) << "complete of " << n;
    open -= n;
    if (open > 0) return;
    GRAPPA_CHECK(open == 0) << "a scope was completed more often than enrolled";
    GRAPPA_DCHECK(drained != nullptr) << "a scope without drained()";
    drained(this);
  }
};

inline uint64_t wire_id(const TaskScope* scope) { return scope == nullptr ? 0 : scope->wire_id; }

struct Task {
  Closure body;
  TaskScope* scope;
};

/// A task that another core may run. Its body is trivially copyable.
struct StealableTask {
  Task task;
  void (*send)(Task* task, Core thief);  // moves the task; it starts in the same scope
};

/// Each queues a task (TaskQueues).
void start_task(const Closure& body, TaskScope* scope);
void start_helper_task(const Closure& body, TaskScope* scope);
void start_stealable_task(const StealableTask& task);

}  // namespace detail

/// Starts a task on this core. Started tasks run after the caller suspends, in the order of the
/// calls. The task joins the caller's scope. `body` may refer to objects that outlive the task.
template <class F>
void spawn(F&& body) {
  detail::start_task(detail::Closure::make(std::forward<F>(body)), detail::current_scope());
}

/// Bound: only the core that starts the task runs it. Unbound: any core may run it.
enum class TaskMode { Bound, Unbound };
constexpr TaskMode bound = TaskMode::Bound;
constexpr TaskMode unbound = TaskMode::Unbound;

}  // namespace Grappa
