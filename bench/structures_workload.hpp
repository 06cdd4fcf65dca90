#pragma once

/// Common code of the workloads of bench/structures_job: tasks on all cores with random operations.
/// Each run has the same operations.

#include <Grappa.hpp>

#include "apps/gups/gups_stream.hpp"
#include "bench/harness/pairs.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace bench {

/// Returns the random number of operation `k`, from 0 to 2^bits - 1. Numbers are independent.
inline uint64_t random_choice(int64_t k, int bits) { return gups::word_of(2 * k, bits); }
inline uint64_t random_key(int64_t k, int bits) { return gups::word_of(2 * k + 1, bits); }

/// The results of the operations of a core.
struct Tally {
  int64_t inserted = 0;  // number of inserted or pushed elements
  int64_t found = 0;     // number of found or popped elements
  int64_t wrong = 0;     // number of impossible answers
  uint64_t sum_inserted = 0;
  uint64_t sum_found = 0;
};

/// The tally of this core.
extern Tally tally;

/// Returns the sum over all cores and resets the tallies. From: the main task.
Tally take_tallies();

/// The counters of the structures, over all cores.
struct CombiningCounts {
  uint64_t commits;
  uint64_t master_messages;
  uint64_t messages;  // of all kinds
};
CombiningCounts combining_counts();

uint64_t counted_messages();  // sent by this core

/// The result of a number of operations.
struct Run {
  int64_t operations;
  double ns;
  bool right;
  CombiningCounts counts;  // during the operations

  /// Returns the rate in million operations per second, over all cores.
  double rate() const { return double(operations) * 1000 / ns; }
};

/// Runs and times `body(k)` for k = 0 to n-1 in tasks on all cores, an equal part on each core. The
/// returned result is marked as right. From: the main task.
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
          {after.commits - before.commits, after.master_messages - before.master_messages,
           after.messages - before.messages}};
}

/// Returns the number of workers over all cores.
int64_t all_workers();

/// Calls `run(n)` with increasing n, until a run takes about `seconds`. No single n fits, because
/// structures without combining are a hundred times slower. All runs must be right. Returns the
/// last run. From: the main task.
Run run_for(double seconds, const std::function<Run(int64_t n)>& run);

/// Prints "NAME: NUMBER", which JobOutput parses.
void report(const std::string& name, double number);

}  // namespace bench
