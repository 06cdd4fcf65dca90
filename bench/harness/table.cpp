#include "bench/harness/table.hpp"

#include <cmath>
#include <cstdio>

namespace bench {
namespace {

constexpr double kExactIntegers = 1e15;  // integers up to this are exact in a double

std::string printed(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Columns are wide enough for usual values. A longer value moves the rest of the line to the right.
std::string row(const std::string& id, const std::string& value, const std::string& unit,
                const std::string& baseline, const std::string& ratio, const std::string& spread,
                const std::string& what) {
  const auto cell = [](const std::string& text, size_t width, bool left) {
    const std::string blanks(text.size() < width ? width - text.size() : 0, ' ');
    return (left ? text + blanks : blanks + text) + "  ";
  };
  return cell(id, 27, true) + cell(value, 10, false) + cell(unit, 5, true) +
         cell(baseline, 10, false) + cell(ratio, 7, false) + cell(spread, 15, true) + what + "\n";
}

std::string ping_pong_text(double ns) { return ns == 0 ? "unknown" : brief(ns) + " ns"; }

}  // namespace

std::string brief(double value) {
  if (std::floor(value) == value && std::fabs(value) < kExactIntegers) {
    return printed("%.0f", value);
  }
  return printed("%.4g", value);
}

std::string brief(const Spread& spread) { return brief(spread.low) + " - " + brief(spread.high); }

std::string table_heading(const Result& result) {
  return result.benchmark + (result.quick ? " --quick" : "") + ", commit " + result.commit + ", " +
         std::to_string(result.machine.ranks) +
         (result.machine.ranks == 1 ? " core, " : " cores, ") + result.machine.cpu + "\n" +
         row("id", "value", "unit", "baseline", "ratio", "spread", "what");
}

std::string table_row(const Figure& figure) {
  const std::string& unit = figure.question.unit;
  std::string what = figure.question.what;
  if (figure.has_baseline()) what += ", against " + figure.question.baseline;
  if (figure.line_ns > 0) what += "; cache line " + brief(std::round(figure.line_ns)) + " ns";
  if (figure.repeats > 0) what += "; " + std::to_string(figure.repeats) + " pairs not counted";
  if (!figure.verified) what = "NOT VERIFIED: " + what;
  if (!figure.has_baseline()) {
    return row(figure.question.id, brief(figure.value), unit, "", "", "", what);
  }
  return row(figure.question.id, brief(figure.value), unit, brief(figure.baseline_value),
             brief(figure.ratio), brief(figure.spread), what);
}

std::string table_row(const Omission& omission) {
  return row(omission.id, "omitted", "", "", "", "", omission.why);
}

std::string table_footing(const Result& result) {
  const Probes& before = result.before;
  const Probes& after = result.after;
  return "before and after: cache line between processors " + ping_pong_text(before.ping_pong_ns) +
         " and " + ping_pong_text(after.ping_pong_ns) + ", fixed loop " +
         printed("%.1f", before.loop_ns / 1000) + " and " + printed("%.1f", after.loop_ns / 1000) +
         " us; stolen time " + brief(after.stolen_s - before.stolen_s) + " s\n";
}

}  // namespace bench
