#include "apps/common/named_values.hpp"

#include "apps/common/statistics.hpp"

#include <cstdio>

namespace apps {

void add_statistics(const std::string& quantity, const std::vector<double>& sample,
                    NamedValues* values) {
  const Summary s = summarize(sample);
  values->push_back({"min_" + quantity, s.min});
  values->push_back({"firstquartile_" + quantity, s.first_quartile});
  values->push_back({"median_" + quantity, s.median});
  values->push_back({"thirdquartile_" + quantity, s.third_quartile});
  values->push_back({"max_" + quantity, s.max});
  values->push_back({"mean_" + quantity, s.mean});
  values->push_back({"stddev_" + quantity, s.stddev});
}

void add_harmonic(const std::string& quantity, const std::vector<double>& sample,
                  NamedValues* values) {
  const HarmonicSummary s = summarize_rates(sample);
  values->push_back({"harmonic_mean_" + quantity, s.mean});
  values->push_back({"harmonic_stddev_" + quantity, s.stddev});
}

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace apps
