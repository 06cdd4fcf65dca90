#pragma once

/// A type-erased closure without arguments. It runs at most once, on the core that made it.
///
/// A trivially copyable body of at most inline_bytes() bytes is stored inline; any other body is
/// stored on the heap. A Closure itself is trivially copyable, so queues may move it as bytes. The
/// owner of the last copy calls run_and_destroy() or destroy() exactly once.

#include "system/base/type_name.hpp"

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

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

  void run_and_destroy() { operations_->run(storage_); }

  /// Returns the body. Requires that the closure was made from a `Body` and has not run yet.
  template <class Body>
  Body& body() {
    void* place = is_inline() ? storage_ : *reinterpret_cast<void**>(storage_);
    return *static_cast<Body*>(place);
  }

  /// Destroys the body without running it. Requires that the closure was made from a `Body`.
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
  struct Inline {
    static void run(void* storage) { (*static_cast<Body*>(storage))(); }
    static const Operations operations;
  };

  template <class Body>
  struct OnHeap {
    static void run(void* storage) {
      struct Owner {  // also frees the body if it throws
        Body* body;
        ~Owner() { delete body; }
      } owner = {*static_cast<Body**>(storage)};
      (*owner.body)();
    }
    static const Operations operations;
  };

  template <class Body>
  struct fits_inline
      : std::integral_constant<bool, std::is_trivially_copyable<Body>::value &&
                                         std::is_trivially_destructible<Body>::value &&
                                         sizeof(Body) <= inline_bytes() &&
                                         alignof(Body) <= alignof(void*)> {};

  template <class Body, class F>
  void construct(F&& body, std::true_type) {
    new (storage_) Body(std::forward<F>(body));
    operations_ = &Inline<Body>::operations;
  }

  template <class Body, class F>
  void construct(F&& body, std::false_type) {
    static_assert(alignof(Body) <= alignof(std::max_align_t),
                  "a task's closure is over-aligned: capture a pointer to the object instead");
    new (storage_) Body*(new Body(std::forward<F>(body)));
    operations_ = &OnHeap<Body>::operations;
  }

  const Operations* operations_ = nullptr;
  alignas(void*) unsigned char storage_[48];
};

template <class Body>
const Closure::Operations Closure::Inline<Body>::operations = {run, type_signature<Body>, true};

template <class Body>
const Closure::Operations Closure::OnHeap<Body>::operations = {run, type_signature<Body>, false};

}  // namespace detail
}  // namespace Grappa
