#pragma once

/// Figures whose pairs are measured together in one job, because a separate job for each pair would
/// take too long.

#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// Several runs of the same job. A run is called a round, and adds one pair to every figure. All
/// counted rounds are from one regime of the cache-line transfer, as in measure_pairs().
class Rounds {
 public:
  /// Runs jobs until `wanted` rounds are counted, or until a round fails.
  Rounds(int wanted, const std::function<double()>& ping_pong,
         const std::function<JobOutput()>& job);

  /// Returns a figure. Its values are the numbers that follow `label` in the output of the jobs.
  /// Its baseline values are the numbers that follow `baseline_label`.
  Figure figure(const Question& question, const std::string& label,
                const std::string& baseline_label, double unit = 1) const;

 private:
  const int wanted_;
  std::vector<JobOutput> rounds_;
  std::vector<double> ping_pong_ns_;  // measured before the first round, and after each round
};

}  // namespace bench
