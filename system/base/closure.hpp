#pragma once

/// A closure without arguments, its type erased, run once, on the core that made it.
///
/// Trivially copyable closures of up to kInlineBytes live inside; all others are moved to the heap.
/// A Closure itself is trivially copyable, so that queues may move it as bytes; whoever holds the
/// last copy calls run_and_destroy() exactly once.

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace Grappa {

class Closure {
 public:
  static constexpr size_t inline_bytes() { return 48; }

  Closure() = default;

  template <class F>
  static Closure make(F&& body) {
    typedef typename std::decay<F>::type Body;
    Closure closure;
    closure.construct<Body>(std::forward<F>(body), fits_inline<Body>());
    return closure;
  }

  void run_and_destroy() { run_(storage_); }

 private:
  template <class Body>
  struct fits_inline
      : std::integral_constant<bool, std::is_trivially_copyable<Body>::value &&
                                         std::is_trivially_destructible<Body>::value &&
                                         sizeof(Body) <= inline_bytes() && alignof(Body) <= 16> {};

  template <class Body, class F>
  void construct(F&& body, std::true_type) {
    new (storage_) Body(std::forward<F>(body));
    run_ = [](void* storage) { (*static_cast<Body*>(storage))(); };
  }

  template <class Body, class F>
  void construct(F&& body, std::false_type) {
    static_assert(alignof(Body) <= alignof(std::max_align_t),
                  "a task's closure is over-aligned: capture a pointer to the object instead");
    new (storage_) Body*(new Body(std::forward<F>(body)));
    run_ = [](void* storage) {
      struct Owner {  // frees the closure also when it throws
        Body* body;
        ~Owner() { delete body; }
      } owner = {*static_cast<Body**>(storage)};
      (*owner.body)();
    };
  }

  void (*run_)(void*) = nullptr;
  alignas(16) unsigned char storage_[48];
};

}  // namespace Grappa
