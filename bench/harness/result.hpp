#pragma once

/// All that one run of a benchmark has to say: the content of a result file.

#include "bench/harness/figure.hpp"
#include "bench/harness/machine.hpp"
#include "bench/harness/probes.hpp"

#include <string>
#include <vector>

namespace bench {

/// A figure that this machine cannot measure, and why.
struct Omission {
  std::string id;
  std::string why;
};

/// What the ids of figures from a run with --quick end in: their sizes differ from those of the
/// figures that documents quote.
constexpr char kQuickSuffix[] = ".quick";

struct Result {
  std::string benchmark;
  std::string commit;
  std::string command;
  bool quick = false;
  Machine machine;
  Probes before = {0, 0, 0};
  Probes after = {0, 0, 0};
  std::vector<Figure> figures;
  std::vector<Omission> omitted;

  /// True if every figure is.
  bool verified() const;
};

/// As a JSON object, ended by a newline. bench/README.md describes the fields.
std::string to_json(const Result& result);

/// Reads what to_json() has written. Returns an empty string, or a phrase that says what is wrong.
std::string parse_result(const std::string& json, Result* result);

}  // namespace bench
