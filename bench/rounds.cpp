#include "bench/rounds.hpp"

namespace bench {

Rounds::Rounds(int wanted, const std::function<double()>& ping_pong,
               const std::function<JobOutput()>& job)
    : wanted_(wanted) {
  const auto half_round_trip_ns = [&ping_pong] { return ping_pong ? ping_pong() : 0; };
  ping_pong_ns_.push_back(half_round_trip_ns());
  PairCount count(wanted, wanted);
  while (!count.done()) {
    rounds_.push_back(job());
    const double before = ping_pong_ns_.back();
    ping_pong_ns_.push_back(half_round_trip_ns());
    count.add(before, ping_pong_ns_.back());
    if (rounds_.back().failed()) return;
  }
}

Figure Rounds::figure(const Question& question, const std::string& label,
                      const std::string& baseline_label, double unit) const {
  PairOptions options;
  options.better = Better::Higher;
  options.max_repeats = wanted_;
  size_t probes = 0;
  options.ping_pong = [this, &probes] { return ping_pong_ns_[probes++]; };
  size_t round = 0;
  // If a round has failed, it is the last round, and measure_pairs() ends there.
  return measure_pairs(
      question, [&] { return rounds_[round].number(label + ": ", unit); },
      [&] { return rounds_[round++].number(baseline_label + ": ", unit); }, wanted_, options);
}

}  // namespace bench
