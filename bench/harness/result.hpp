#pragma once

/// The result of one run of a benchmark: the content of a result file.

#include "bench/harness/figure.hpp"
#include "bench/harness/machine.hpp"
#include "bench/harness/probes.hpp"

#include <string>
#include <vector>

namespace bench {

/// A figure that this machine cannot measure, and the reason.
struct Omission {
  std::string id;
  std::string why;
};

/// Suffix of the ids of figures from a run with --quick. The sizes of these figures differ from
/// those of the figures that documents quote.
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

  /// Returns true if every figure is verified.
  bool verified() const;
};

/// Returns a JSON object, followed by a newline. bench/README.md describes the fields.
std::string to_json(const Result& result);

/// Parses the output of to_json(). Returns an empty string, or an error message.
std::string parse_result(const std::string& json, Result* result);

}  // namespace bench
