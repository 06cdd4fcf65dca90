#include "bench/harness/pairs.hpp"

#include "apps/common/statistics.hpp"
#include "system/base/check.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

double measure(const Body& body, const Question& question, Figure* figure) {
  const Measurement measured = body();
  GRAPPA_CHECK(std::isfinite(measured.value) && measured.value > 0)
      << question.id << " measured " << measured.value
      << ", which is invalid: the operation was too short for the clock, or did not run";
  figure->verified = figure->verified && measured.verified;
  return measured.value;
}

Spread quartiles(const apps::Summary& summary) {
  return Spread{summary.first_quartile, summary.third_quartile};
}

void summarize(Figure* figure) {
  const bool inverse = figure->ratio_sense == Ratio::BaselineOverValue;
  std::vector<double> values, baseline_values, ratios, line_ns;
  for (const Repetition& repetition : figure->repetitions) {
    if (!repetition.counted) continue;
    values.push_back(repetition.value);
    baseline_values.push_back(repetition.baseline_value);
    const double ratio = repetition.value / repetition.baseline_value;
    ratios.push_back(inverse ? 1 / ratio : ratio);
    line_ns.push_back(repetition.ping_pong_before_ns);
    line_ns.push_back(repetition.ping_pong_after_ns);
  }
  figure->line_ns = apps::summarize(line_ns).median;
  const apps::Summary of_values = apps::summarize(values);
  figure->value = of_values.median;
  figure->value_spread = quartiles(of_values);
  figure->baseline_value = apps::summarize(baseline_values).median;
  const double ratio = figure->value / figure->baseline_value;
  figure->ratio = inverse ? 1 / ratio : ratio;
  figure->spread = quartiles(apps::summarize(ratios));
}

}  // namespace

bool straddles_flip(double ping_pong_before, double ping_pong_after) {
  const double low = std::min(ping_pong_before, ping_pong_after);
  return low > 0 && std::max(ping_pong_before, ping_pong_after) > kFlip * low;
}

void PairCount::add(double ping_pong_before, double ping_pong_after) {
  if (straddles_flip(ping_pong_before, ping_pong_after)) {
    regime_of_.push_back(kNoRegime);
    return;
  }
  const double transfer = std::sqrt(ping_pong_before * ping_pong_after);
  size_t regime = 0;
  while (regime < regimes_.size() && straddles_flip(regimes_[regime], transfer)) ++regime;
  if (regime == regimes_.size()) {
    regimes_.push_back(transfer);
    pairs_of_.push_back(0);
  }
  ++pairs_of_[regime];
  regime_of_.push_back(static_cast<int>(regime));
}

int PairCount::regime_with_most_pairs() const {
  const auto most = std::max_element(pairs_of_.begin(), pairs_of_.end());
  return most == pairs_of_.end() ? kNoRegime : static_cast<int>(most - pairs_of_.begin());
}

bool PairCount::done() const {
  const int regime = regime_with_most_pairs();
  return regime_of_.size() >= most_ ||
         (regime != kNoRegime && pairs_of_[static_cast<size_t>(regime)] >= wanted_);
}

std::vector<bool> PairCount::counted() const {
  const int regime = regime_with_most_pairs();
  std::vector<bool> result;
  for (const int of_pair : regime_of_) result.push_back(of_pair == regime);
  return result;
}

Figure measure_pairs(const Question& question, const Body& subject, const Body& baseline, int pairs,
                     const PairOptions& options) {
  GRAPPA_CHECK(pairs > 0) << question.id << " has no pairs";
  GRAPPA_CHECK(!question.baseline.empty()) << question.id << " has a baseline without a name";
  Figure figure;
  figure.question = question;
  figure.better = options.better;
  figure.ratio_sense = options.ratio;
  PairCount count(pairs, options.max_repeats);
  double before = options.ping_pong ? options.ping_pong() : 0;
  while (!count.done() && figure.verified) {
    Repetition repetition;
    repetition.value = measure(subject, question, &figure);
    repetition.baseline_value = measure(baseline, question, &figure);
    repetition.ping_pong_before_ns = before;
    repetition.ping_pong_after_ns = before = options.ping_pong ? options.ping_pong() : 0;
    count.add(repetition.ping_pong_before_ns, repetition.ping_pong_after_ns);
    figure.repetitions.push_back(repetition);
  }
  const std::vector<bool> counted = count.counted();
  for (size_t k = 0; k < counted.size(); ++k) {
    figure.repetitions[k].counted = counted[k];
    if (!counted[k]) ++figure.repeats;
  }
  summarize(&figure);
  return figure;
}

}  // namespace bench
