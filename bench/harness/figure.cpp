#include "bench/harness/figure.hpp"

namespace bench {

Figure count(const Question& question, double value) {
  Figure figure;
  figure.question = question;
  figure.value = value;
  figure.value_spread = Spread{value, value};
  return figure;
}

}  // namespace bench
