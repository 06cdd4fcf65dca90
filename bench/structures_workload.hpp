#pragma once

/// What the workloads of bench/structures_job share: tasks on all cores whose operations are chosen
/// at random, and the same each time.

#include <Grappa.hpp>

#include "apps/gups/gups_stream.hpp"
#include "bench/harness/pairs.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace bench {

/// What is random about operation `k`: numbers from 0 to 2^bits - 1 that do not depend on each
/// other.
inline uint64_t random_choice(int64_t k, int bits) { return gups::word_of(2 * k, bits); }
inline uint64_t random_key(int64_t k, int bits) { return gups::word_of(2 * k + 1, bits); }

/// What the operations of a core have done.
struct Tally {
  int64_t inserted = 0;  // or pushed
  int64_t found = 0;     // or popped
  int64_t wrong = 0;     // answers that cannot be
  uint64_t sum_inserted = 0;
  uint64_t sum_found = 0;
};

/// This core's.
extern Tally tally;

/// Of all cores together, and begins anew. From: the main task.
Tally take_tallies();

/// What the structures have counted, on all cores together.
struct CombiningCounts {
  uint64_t commits;
  uint64_t master_messages;
};
CombiningCounts combining_counts();

/// How a number of operations went.
struct Run {
  int64_t operations;
  double ns;
  bool right;
  CombiningCounts counts;  // during the operations

  /// Million a second, all cores together.
  double rate() const { return double(operations) * 1000 / ns; }
};

/// Times `body(k)` for k = 0 ... n-1 in tasks on all cores, which share them evenly. The run is
/// taken to be right. From: the main task.
template <class F>
Run run_operations(int64_t n, F body) {
  const CombiningCounts before = combining_counts();
  const uint64_t start = Grappa::detail::steady_ns();
  Grappa::forall(0, n, body);
  const double ns = double(Grappa::detail::steady_ns() - start);
  const CombiningCounts after = combining_counts();
  return {n,
          ns,
          true,
          {after.commits - before.commits, after.master_messages - before.master_messages}};
}

/// On all cores together.
int64_t all_workers();

/// `run(n)` with more and more operations, until it takes about `seconds`. Structures without
/// combining are a hundred times slower than with it, so one number does not serve all. All runs
/// have to be right; the last one counts. From: the main task.
Run run_for(double seconds, const std::function<Run(int64_t n)>& run);

/// Prints "NAME: NUMBER", which JobOutput reads.
void report(const std::string& name, double number);

}  // namespace bench
