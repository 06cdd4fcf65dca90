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
      << ", which cannot be: it is too short for the clock, or nothing ran";
  figure->verified = figure->verified && measured.verified;
  return measured.value;
}

Spread quartiles(const apps::Summary& summary) {
  return Spread{summary.first_quartile, summary.third_quartile};
}

void summarize(Figure* figure) {
  const bool inverse = figure->ratio_sense == Ratio::BaselineOverValue;
  std::vector<double> values, baseline_values, ratios;
  for (const Repetition& repetition : figure->repetitions) {
    if (!repetition.counted) continue;
    values.push_back(repetition.value);
    baseline_values.push_back(repetition.baseline_value);
    const double ratio = repetition.value / repetition.baseline_value;
    ratios.push_back(inverse ? 1 / ratio : ratio);
  }
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

Figure measure_pairs(const Question& question, const Body& subject, const Body& baseline, int pairs,
                     const PairOptions& options) {
  GRAPPA_CHECK(pairs > 0) << question.id << " has no pairs";
  GRAPPA_CHECK(!question.baseline.empty()) << question.id << " does not say what its baseline is";
  Figure figure;
  figure.question = question;
  figure.better = options.better;
  figure.ratio_sense = options.ratio;
  double before = options.ping_pong ? options.ping_pong() : 0;
  for (int counted = 0; counted < pairs && figure.verified;) {
    Repetition repetition;
    repetition.value = measure(subject, question, &figure);
    repetition.baseline_value = measure(baseline, question, &figure);
    const double after = options.ping_pong ? options.ping_pong() : 0;
    repetition.ping_pong_before_ns = before;
    repetition.ping_pong_after_ns = after;
    repetition.counted =
        !straddles_flip(before, after) || figure.repeats == options.max_repeats || !figure.verified;
    figure.repetitions.push_back(repetition);
    ++(repetition.counted ? counted : figure.repeats);
    before = after;
  }
  summarize(&figure);
  return figure;
}

}  // namespace bench
