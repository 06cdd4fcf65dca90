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
/// pop, size, empty, clear, and forall(stack, body).

#include "structures/detail/combined_sequence.hpp"
#include "structures/detail/matching_proxy.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

template <class T>
class StackProxy : public MatchingProxy<T> {
 public:
  explicit StackProxy(Sequence* sequence) : sequence_(sequence) {}

  void sync() override {
    T* const values = this->values_.data();
    if (this->n_pushed_ != 0) {
      sequence_->commit(values, this->n_pushed_, nullptr, 0);
      return;
    }
    const int64_t n = sequence_->commit(nullptr, 0, values, this->n_popped_);
    for (int64_t i = 0; i < n; ++i) this->pops_[i].answer(values[i]);
  }

 private:
  Sequence* const sequence_;
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

 private:
  friend struct detail::LoopOverSequence<GlobalStack, T>;
};

namespace detail {

template <class T>
struct LoopOver<GlobalStack<T>> : LoopOverSequence<GlobalStack<T>, T> {};

}  // namespace detail
}  // namespace Grappa
