#pragma once

/// What the program says of its run, as lines and as JSON.

#include "apps/gups/gups_kernel.hpp"

#include <cstdint>
#include <ostream>
#include <string>

namespace gups {

struct RunResult {
  Mode mode;
  int log_table;
  int64_t updates;  // that have been made: by exclusive or each one twice
  int64_t cores;
  double seconds;

  double updates_per_second() const { return seconds > 0 ? double(updates) / seconds : 0; }
};

/// async, blocking or xor, as --mode has them.
const char* name_of(Mode mode);

/// What will be done, before it is.
void print_plan(const RunResult& run, std::ostream& out);

void print_rates(const RunResult& run, std::ostream& out);

/// The whole run as a JSON object, ended by a newline.
std::string to_json(const RunResult& run);

}  // namespace gups
