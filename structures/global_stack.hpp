#pragma once

/// A stack that all cores share: last in, first out, over the whole job.
///
///     GlobalAddress<GlobalStack<Edge>> stack = GlobalStack<Edge>::create();
///     on_all_cores([stack] { stack->push(some_edge()); });
///     Edge e;
///     while (stack->try_pop(&e)) { ... }
///     stack->destroy();
///
/// A stack is linearizable (combining.hpp) and flat-combined (flat_combiner.hpp): the operations of
/// one core's tasks are sent in batches. A push and a pop on one core match without a message if
/// they wait at the same time. detail/combined_sequence.hpp documents all operations.

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
    T* const values = this->values_.data();  // the batch has either pushes or pops
    const int64_t n = sequence_->commit(values, this->n_pushed_, values, this->n_popped_);
    for (int64_t i = 0; i < n; ++i) this->pops_[i].answer(values[i]);
  }

 private:
  Sequence* const sequence_;
};

}  // namespace detail

template <class T>
class GlobalStack
    : public detail::CombinedSequence<GlobalStack<T>, T, detail::Sequence, detail::StackProxy<T>> {
  static_assert(detail::IsElement<T>::value, "");
  typedef detail::CombinedSequence<GlobalStack, T, detail::Sequence, detail::StackProxy<T>> Base;

 public:
  static const char* name() { return "GlobalStack"; }

  GlobalStack(int64_t capacity_hint, Combining mode, Core master)  // for create()
      : Base(mode, master, detail::TakeFrom::Back, capacity_hint) {}
};

}  // namespace Grappa
