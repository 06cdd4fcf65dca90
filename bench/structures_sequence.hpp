#pragma once

/// Throughput of a global stack or queue, with pushes only, or with half pushes and half pops.
///
/// The random choice between two operations causes branch mispredictions, which take time (figures
/// `stack.drawn` and `queue.drawn`). Both mixes therefore make a random choice; without pops, the
/// choice is between two pushes. The mixes differ only in the operations of the structure.

#include "bench/structures_workload.hpp"
#include "structures/combining.hpp"

#include <algorithm>
#include <cstdint>

namespace bench {

enum class Mix {
  PlainPush,  // a push without a random choice
  Push,       // one of two pushes, chosen at random
  Mixed       // a push or a pop, chosen at random
};

/// Runs `n` operations. Each operation is `one(k)` or `other(k)`.
template <class One, class Other>
Run run_either(int64_t n, One one, Other other) {
  constexpr uint64_t kChoiceNs = 13;  // with the misprediction
  return run_operations(n, [=](int64_t k) {
    Grappa::charge_ns(kChoiceNs);
    if (random_choice(k, 1) == 0) {
      one(k);
    } else {
      other(k);
    }
  });
}

/// Runs `n` operations of a new structure. Sequence: a GlobalStack or GlobalQueue of uint64_t. With
/// pops, the structure initially has one element for each operation that can be in progress at a
/// time. The result is right if popped and
/// remaining elements together have the number and the sum of the pushed elements, and if exactly
/// size() elements remain. From: the main task.
template <class Sequence>
Run run_sequence(Grappa::Combining mode, Mix mix, int64_t n) {
  const int64_t preloaded = mix == Mix::Mixed ? std::min(n, all_workers()) : 0;
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
    asm volatile("");  // prevents the compiler from merging the two equal branches
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

constexpr int kLonePushes = 2000;

/// Returns the microseconds of one of kLonePushes pushes by the only active task, which is on the
/// last core. From: the main task.
template <class Push>
double lone_push_us(Push push) {
  static uint64_t ns;
  Grappa::on_all_cores([push] {
    if (Grappa::mycore() != Grappa::cores() - 1) return;
    const uint64_t start = Grappa::detail::steady_ns();
    for (uint64_t k = 0; k < kLonePushes; ++k) push(k);
    ns = Grappa::detail::steady_ns() - start;
  });
  const uint64_t all = Grappa::delegate::call(Grappa::cores() - 1, [] { return ns; });
  return double(all) / kLonePushes / 1000;
}

}  // namespace bench
