#include "bench/structures_workload.hpp"

#include "structures/combining.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace bench {
namespace {

// Number of operations of each worker in the shortest run. It keeps all workers active together.
constexpr int64_t kFewest = 2;

// The shortest acceptable run, as a fraction of the requested time.
constexpr double kShortest = 0.5;

// Limit for the next number of operations, because a short run predicts the speed badly.
constexpr double kLargestStep = 16;

}  // namespace

Tally tally;

uint64_t counted_messages() {
  const Grappa::detail::Counter* each = Grappa::detail::Counter::first();
  while (std::strcmp(each->name(), "message.messages") != 0) each = each->next();
  return each->value();
}

Tally take_tallies() {
  Tally all;
  for (int core = 0; core < Grappa::cores(); ++core) {
    const Tally one = Grappa::delegate::call(Grappa::Core(core), [] {
      const Tally here = tally;
      tally = Tally();
      return here;
    });
    all.inserted += one.inserted;
    all.found += one.found;
    all.wrong += one.wrong;
    all.sum_inserted += one.sum_inserted;
    all.sum_found += one.sum_found;
  }
  return all;
}

CombiningCounts combining_counts() {
  CombiningCounts all = {0, 0, 0};
  for (int core = 0; core < Grappa::cores(); ++core) {
    const CombiningCounts one = Grappa::delegate::call(Grappa::Core(core), [] {
      return CombiningCounts{Grappa::detail::structure_counters::commits.value(),
                             Grappa::detail::structure_counters::master_messages.value(),
                             counted_messages()};
    });
    all.commits += one.commits;
    all.master_messages += one.master_messages;
    all.messages += one.messages;
  }
  return all;
}

int64_t all_workers() {
  return Grappa::cores() * Grappa::detail::scheduler().options().num_workers;
}

Run run_for(double seconds, const std::function<Run(int64_t n)>& run) {
  bool right = true;
  for (int64_t n = kFewest * all_workers();;) {
    Run last = run(n);
    right = right && last.right;
    const double taken = last.ns * 1e-9;
    if (taken >= kShortest * seconds || !right) {
      last.right = right;
      return last;
    }
    n = int64_t(double(n) * std::min(kLargestStep, seconds / taken));
  }
}

void report(const std::string& name, double number) {
  std::printf("%s: %.9g\n", name.c_str(), number);
}

}  // namespace bench
