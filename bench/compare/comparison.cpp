#include "bench/compare/comparison.hpp"

#include "apps/common/statistics.hpp"
#include "bench/harness/pairs.hpp"
#include "bench/harness/table.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

// Differences of ratios up to this value are noise, for example from the address of a loop. Counts
// have no noise.
constexpr double kNegligible = 0.01;

// The number that represents a figure, and the range in which the number of another figure is
// considered equal. The ratio of the medians may be outside of the quartiles of the ratios.
struct Judged {
  double number;
  Spread range;

  explicit Judged(const Figure& figure)
      : number(figure.has_baseline() ? figure.ratio : figure.value),
        range(figure.has_baseline() ? figure.spread : figure.value_spread) {
    range.low = std::min(range.low, number);
    range.high = std::max(range.high, number);
  }

  bool includes(const Judged& other) const {
    return other.number >= range.low && other.number <= range.high;
  }

  bool close_to(const Judged& other) const {
    return std::fabs(number - other.number) <= kNegligible * std::fabs(number);
  }
};

const Figure* find(const Result& result, const std::string& id) {
  for (const Figure& figure : result.figures) {
    if (figure.question.id == id) return &figure;
  }
  return nullptr;
}

// Returns the half round trips during the measurement of a figure. If the figure has no
// repetitions, returns those of the whole run.
std::vector<double> ping_pongs(const Result& result, const Figure& figure) {
  std::vector<double> ns;
  for (const Repetition& repetition : figure.repetitions) {
    if (!repetition.counted) continue;
    for (const double one : {repetition.ping_pong_before_ns, repetition.ping_pong_after_ns}) {
      if (one > 0) ns.push_back(one);
    }
  }
  if (!ns.empty() || result.machine.ranks == 1) return ns;
  for (const double one : {result.before.ping_pong_ns, result.after.ping_pong_ns}) {
    if (one > 0) ns.push_back(one);
  }
  return ns;
}

bool same_regime(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return true;
  return !straddles_flip(apps::summarize(a).median, apps::summarize(b).median);
}

void note_difference(const std::string& what, const std::string& a, const std::string& b,
                     std::vector<std::string>* notes) {
  if (a != b) notes->push_back(what + ": " + a + " | " + b);
}

std::string word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Same: return "";
    case Verdict::Better: return "better";
    case Verdict::Worse: return "WORSE";
    case Verdict::NotVerified: return "not verified";
    case Verdict::OtherQuestion: return "different question";
    case Verdict::OtherRegime: return "NOT COMPARABLE: different regime";
  }
  return "";
}

std::string cell(const std::string& text, size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text + "  ";
}

std::string id_cell(const std::string& id) {
  constexpr size_t kWidth = 27;
  return id + std::string(id.size() < kWidth ? kWidth - id.size() : 0, ' ') + "  ";
}

std::string ratio_cell(const Figure& figure) {
  return cell(figure.has_baseline() ? brief(figure.ratio) : "", 8);
}

std::string row(const Figure& a, const Figure& b, const std::string& last) {
  return id_cell(a.question.id) + ratio_cell(a) + ratio_cell(b) + cell(brief(a.value), 10) +
         cell(brief(b.value), 10) + cell(b.question.unit, 5) + last + "\n";
}

std::string row_of_one(const Figure& figure, const char* file) {
  return id_cell(figure.question.id) + "only in " + file + "\n";
}

}  // namespace

Verdict judge(const Result& a, const Figure& of_a, const Result& b, const Figure& of_b) {
  if (!of_a.verified || !of_b.verified) return Verdict::NotVerified;
  if (of_a.question.unit != of_b.question.unit ||
      of_a.question.baseline != of_b.question.baseline || of_a.better != of_b.better ||
      of_a.ratio_sense != of_b.ratio_sense) {
    return Verdict::OtherQuestion;
  }
  const bool by_ratio = of_a.has_baseline();  // also true for of_b: the question is the same
  if (by_ratio && !same_regime(ping_pongs(a, of_a), ping_pongs(b, of_b))) {
    return Verdict::OtherRegime;
  }
  const Judged first(of_a), second(of_b);
  if (first.includes(second) || second.includes(first)) return Verdict::Same;
  if (by_ratio && first.close_to(second)) return Verdict::Same;
  const bool lower_is_better = (by_ratio ? of_a.better_ratio() : of_a.better) == Better::Lower;
  return (second.number < first.number) == lower_is_better ? Verdict::Better : Verdict::Worse;
}

std::vector<std::string> obstacles(const Result& a, const Result& b) {
  std::vector<std::string> sentences;
  note_difference("different processors", a.machine.cpu, b.machine.cpu, &sentences);
  note_difference("different number of processors", std::to_string(a.machine.processors),
                  std::to_string(b.machine.processors), &sentences);
  note_difference("different number of cores", std::to_string(a.machine.ranks),
                  std::to_string(b.machine.ranks), &sentences);
  return sentences;
}

std::vector<std::string> circumstances(const Result& a, const Result& b) {
  std::vector<std::string> notes;
  note_difference("commit", a.commit, b.commit, &notes);
  note_difference("compiler", a.machine.compiler, b.machine.compiler, &notes);
  note_difference("flags", a.machine.flags, b.machine.flags, &notes);
  note_difference("MPI", a.machine.mpi, b.machine.mpi, &notes);
  note_difference("kernel", a.machine.kernel, b.machine.kernel, &notes);
  note_difference("huge pages", a.machine.huge_pages, b.machine.huge_pages, &notes);
  note_difference("bytes of memory", std::to_string(a.machine.memory_bytes),
                  std::to_string(b.machine.memory_bytes), &notes);
  note_difference("repetitions", a.quick ? "quick" : "all", b.quick ? "quick" : "all", &notes);
  std::vector<double> trips = {a.before.ping_pong_ns, a.after.ping_pong_ns, b.before.ping_pong_ns,
                               b.after.ping_pong_ns};
  trips.erase(std::remove(trips.begin(), trips.end(), 0), trips.end());
  if (!trips.empty()) {
    const apps::Summary summary = apps::summarize(trips);
    if (straddles_flip(summary.min, summary.max)) {
      notes.push_back("regimes: a cache line took from " + brief(summary.min) + " to " +
                      brief(summary.max) + " ns between processors");
    }
  }
  return notes;
}

Comparison compare(const Result& a, const Result& b) {
  const std::vector<std::string> reasons = obstacles(a, b);
  Comparison comparison = {a.benchmark + "\n", reasons.empty()};
  std::string& text = comparison.text;
  for (const std::string& note : circumstances(a, b)) text += "  " + note + "\n";
  for (const std::string& reason : reasons) text += "  NOT COMPARABLE, " + reason + "\n";
  text += id_cell("id") + cell("ratio A", 8) + cell("ratio B", 8) + cell("value A", 10) +
          cell("value B", 10) + cell("unit", 5) + "B is\n";
  for (const Figure& of_a : a.figures) {
    const Figure* of_b = find(b, of_a.question.id);
    if (of_b == nullptr) {
      text += row_of_one(of_a, "A");
      continue;
    }
    const Verdict verdict = judge(a, of_a, b, *of_b);
    comparison.complete = comparison.complete && verdict != Verdict::OtherRegime;
    text += row(of_a, *of_b, reasons.empty() ? word(verdict) : "");
  }
  for (const Figure& of_b : b.figures) {
    if (find(a, of_b.question.id) == nullptr) text += row_of_one(of_b, "B");
  }
  return comparison;
}

}  // namespace bench
