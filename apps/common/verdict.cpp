#include "apps/common/verdict.hpp"

#include <Grappa.hpp>

#include <algorithm>
#include <array>

namespace apps {
namespace {

struct Violation {
  const char* how;  // null if there is no violation; the same address on every core
  Grappa::VertexID vertex;
  int64_t values[3];
};

// The lowest violation of each rule on one core.
typedef std::array<Violation, 6> Violations;
Violations violations = {};

Violation lower(const Violation& a, const Violation& b) {
  if (a.how == nullptr || b.how == nullptr) return a.how != nullptr ? a : b;
  if (a.vertex != b.vertex) return a.vertex < b.vertex ? a : b;
  return std::lexicographical_compare(b.values, b.values + 3, a.values, a.values + 3) ? b : a;
}

Violations lowest(const Violations& a, const Violations& b) {
  Violations result;
  std::transform(a.begin(), a.end(), b.begin(), result.begin(), lower);
  return result;
}

std::string sentence(size_t rule, const Violation& violation) {
  std::string text =
      "vertex " + std::to_string(violation.vertex) + " breaks rule " + std::to_string(rule) + " ";
  for (const char* c = violation.how; *c != '\0'; ++c) {
    if (*c == '%') {
      text += std::to_string(violation.values[*++c - '1']);
    } else {
      text += *c;
    }
  }
  return text;
}

}  // namespace

void add_violation(int rule, Grappa::VertexID vertex, const char* how, int64_t value1,
                   int64_t value2, int64_t value3) {
  Violation& known = violations[static_cast<size_t>(rule)];
  known = lower(known, Violation{how, vertex, {value1, value2, value3}});
}

Verdict take_verdict() {
  const Violations all = Grappa::reduce<Violations, lowest>(&violations);
  Grappa::call_on_all_cores([] { violations = Violations(); });
  for (size_t rule = 1; rule < all.size(); ++rule) {
    if (all[rule].how == nullptr) continue;
    return Verdict{false, int(rule), all[rule].vertex, sentence(rule, all[rule])};
  }
  return valid();
}

}  // namespace apps
