#pragma once

/// Throughput of a global stack or queue: all operations push, or half of them do and half pop.
///
/// Which of two operations comes next is drawn at random, and a branch that no processor foresees
/// takes time by itself (figures `stack.drawn` and `queue.drawn`). So that the two mixes differ in
/// what the structure does, and in that only, either draws; where all push, it is one of two
/// pushes.

#include "bench/structures_workload.hpp"
#include "structures/combining.hpp"

#include <cstdint>

namespace bench {

enum class Mix {
  PlainPush,  // nothing is drawn
  Push,       // one of two pushes
  Mixed       // a push or a pop
};

/// `n` operations, each of them `one(k)` or `other(k)`.
template <class One, class Other>
Run run_either(int64_t n, One one, Other other) {
  return run_operations(n, [=](int64_t k) {
    if (random_choice(k, 1) == 0) {
      one(k);
    } else {
      other(k);
    }
  });
}

/// Sequence: a GlobalStack or GlobalQueue of uint64_t. `n` operations of a structure of its own.
/// Before half of them pop, it is given an element for each worker, so that pops find some.
/// Right: what has been pushed, in number and sum, has been popped or is inside afterwards; as many
/// can be popped then as it says it has, and no more. From: the main task.
template <class Sequence>
Run run_sequence(Grappa::Combining mode, Mix mix, int64_t n) {
  const int64_t preloaded = mix == Mix::Mixed ? all_workers() : 0;
  const auto sequence = Sequence::create(n + preloaded, mode);
  const auto push = [sequence](int64_t value) {
    sequence->push(uint64_t(value));
    ++tally.inserted;
    tally.sum_inserted += uint64_t(value);
  };
  const auto try_pop = [sequence] {
    uint64_t value;
    if (!sequence->try_pop(&value)) return;
    ++tally.found;
    tally.sum_found += value;
  };

  Grappa::forall(n, preloaded, push);
  const auto other_push = [push](int64_t value) {
    asm volatile("");  // or the compiler would see that there is nothing to choose
    push(value);
  };
  const auto pop = [try_pop](int64_t) { try_pop(); };
  Run run = mix == Mix::PlainPush ? run_operations(n, push)
            : mix == Mix::Push    ? run_either(n, push, other_push)
                                  : run_either(n, push, pop);

  const int64_t inside = sequence->size();
  const Tally before = take_tallies();
  Grappa::forall(0, inside, [=](int64_t) { try_pop(); });
  uint64_t surplus;
  const bool empty = !sequence->try_pop(&surplus);
  const Tally rest = take_tallies();
  run.right = empty && rest.found == inside && before.inserted == before.found + inside &&
              before.sum_inserted == before.sum_found + rest.sum_found;
  sequence->destroy();
  return run;
}

}  // namespace bench
