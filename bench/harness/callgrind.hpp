#pragma once

/// Exact numbers of instructions, where noise would hide a difference in time.
///
/// A program runs under callgrind with n and with 2n iterations of an operation. What the second
/// run executes more is n iterations; all that surrounds them cancels. Valgrind knows fewer
/// instructions than processors have, so the program should be built without -march=native.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// `instructions` of one iteration, unless `problem` says why there is no such number.
struct InstructionCount {
  double instructions;
  bool verified;  // the program ended with status 0; with status 1 it has found its result wrong
  std::string problem;
};

/// Runs `program` twice. `arguments(n)` makes it run n iterations.
InstructionCount count_instructions(
    const std::string& program, const std::function<std::vector<std::string>(int64_t)>& arguments,
    int64_t n);

/// The number of instructions in what callgrind has written; -1 if there is none.
int64_t callgrind_total(const std::string& output);

}  // namespace bench
