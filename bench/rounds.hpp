#pragma once

/// Figures of pairs that one job measures together: many, where a job for each pair would take too
/// long.

#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// The same job several times. Each run, a round, gives every figure a pair. All rounds that
/// count are of one regime of the cache line's transfer, as in measure_pairs().
class Rounds {
 public:
  /// Runs the jobs until `wanted` rounds count, or one has failed.
  Rounds(int wanted, const std::function<double()>& ping_pong,
         const std::function<JobOutput()>& job);

  /// The numbers behind two labels against each other.
  Figure figure(const Question& question, const std::string& label,
                const std::string& baseline_label, double unit = 1) const;

 private:
  const int wanted_;
  std::vector<JobOutput> rounds_;
  std::vector<double> ping_pong_ns_;  // before the first, and after each
};

}  // namespace bench
