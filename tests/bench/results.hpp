#pragma once

/// Results for the tests of result files, tables and comparisons.

#include "bench/harness/pairs.hpp"
#include "bench/harness/result.hpp"

#include <string>

namespace bench {

/// Returns a figure with one repetition: `value`, with a baseline of 2.
inline Figure figure_of(const std::string& id, double value) {
  return measure_pairs(
      {id, "something", "ns", "something else"}, [value] { return Measurement(value); },
      [] { return Measurement(2); }, 1, PairOptions());
}

/// Returns the result of a run on one core of a machine in the fast regime.
inline Result result_of(const std::vector<Figure>& figures) {
  Result result;
  result.benchmark = "name";
  result.commit = "abc";
  result.command = "name --quick";
  result.quick = true;
  result.machine.cpu = "a processor";
  result.machine.processors = 2;
  result.machine.kernel = "a kernel";
  result.machine.memory_bytes = int64_t(1) << 40;
  result.machine.huge_pages = "madvise";
  result.machine.compiler = "a compiler";
  result.machine.flags = "-O3";
  result.machine.mpi = "an MPI";
  result.machine.ranks = 1;
  result.before = Probes{50, 1000, 1.5};
  result.after = Probes{60, 1100, 2.5};
  result.figures = figures;
  return result;
}

}  // namespace bench
