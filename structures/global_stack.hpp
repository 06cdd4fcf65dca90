#pragma once

/// A stack that all cores share: last in, first out, over the whole job.
///
///     GlobalAddress<GlobalStack<Edge>> stack = GlobalStack<Edge>::create();
///     on_all_cores([stack] { stack->push(some_edge()); });
///     Edge e;
///     while (stack->try_pop(&e)) { ... }
///     stack->destroy();
///
/// Linearizable: all tasks see one order, in which each operation takes effect at a moment between
/// its call and its return. Flat-combined (flat_combiner.hpp): operations of one core's tasks
/// travel as batches. A pop that meets a pending push on its own core takes its value at once, and
/// a push that meets a waiting pop gives it its own: the two follow one another in the order, where
/// nothing can come between them, and need not travel at all. Elements lie on the core that has
/// pushed them (detail/sequence.hpp), and storage grows as it is needed.
///
/// The operations are in detail/combined_sequence.hpp: create, destroy, push, push<async>, try_pop,
/// pop, size, empty, clear.

#include "structures/detail/combined_sequence.hpp"

namespace Grappa {
namespace detail {

/// Invariant: only pushes wait, or only pops.
template <class T>
class StackProxy : public FCProxy {
 public:
  explicit StackProxy(Sequence* sequence) : sequence_(sequence) {}

  void push(const T& value) {
    check_open();
    if (!gave_to_pop(value)) wait();
  }
  void push_async(const T& value) {
    check_open();
    if (!gave_to_pop(value)) complete_in_scope();
  }

  bool try_pop(T* value) {
    check_open();
    if (n_pushed_ != 0) {
      *value = values_[--n_pushed_];
      wake_last();
      return true;
    }
    bool found = false;
    pops_[n_popped_++] = {value, &found};
    wait();
    return found;
  }

  void sync() override {
    if (n_pushed_ != 0) {
      sequence_->commit(values_.data(), n_pushed_, nullptr, 0);
      return;
    }
    const int64_t n = sequence_->commit(nullptr, 0, values_.data(), n_popped_);
    for (int64_t i = 0; i < n; ++i) pops_[i].answer(values_[i]);
  }

 private:
  struct Pop {
    T* value;
    bool* found;

    void answer(const T& popped) const {
      *value = popped;
      *found = true;
    }
  };

  // False if no pop waits: then the push does.
  bool gave_to_pop(const T& value) {
    if (n_popped_ == 0) {
      values_.set(n_pushed_++, value);
      return false;
    }
    pops_[--n_popped_].answer(value);
    wake_last();
    return true;
  }

  Sequence* const sequence_;
  int64_t n_pushed_ = 0;
  int64_t n_popped_ = 0;
  RawElements<T, kProxyRequests> values_;
  Pop pops_[kProxyRequests];
};

/// One for both, so that they meet.
template <class T>
class StackCombiners {
 public:
  explicit StackCombiners(Sequence* sequence) : both_(sequence) {}
  FlatCombiner<StackProxy<T>>& pushes() { return both_; }
  FlatCombiner<StackProxy<T>>& pops() { return both_; }

 private:
  FlatCombiner<StackProxy<T>> both_;
};

}  // namespace detail

template <class T>
class GlobalStack : public detail::CombinedSequence<GlobalStack<T>, T, detail::StackCombiners<T>> {
 public:
  static const char* name() { return "GlobalStack"; }

  /// By create() only.
  GlobalStack(int64_t capacity_hint, Combining mode)
      : detail::CombinedSequence<GlobalStack, T, detail::StackCombiners<T>>(detail::TakeFrom::Back,
                                                                            capacity_hint, mode) {}
};

}  // namespace Grappa
