#pragma once

/// The output of the program, as lines and as JSON.

#include "apps/gups/gups_kernel.hpp"

#include <cstdint>
#include <ostream>
#include <string>

namespace gups {

struct RunResult {
  Mode mode;
  int log_table;
  int64_t updates;  // number of updates made; in mode Xor each update counts twice
  int64_t cores;
  double seconds;

  double updates_per_second() const { return seconds > 0 ? double(updates) / seconds : 0; }
};

/// Returns the value of --mode: async, blocking or xor.
const char* name_of(Mode mode);

/// Prints the parameters, before the run.
void print_plan(const RunResult& run, std::ostream& out);

void print_rates(const RunResult& run, std::ostream& out);

/// The whole run as a JSON object, followed by a newline.
std::string to_json(const RunResult& run);

}  // namespace gups
