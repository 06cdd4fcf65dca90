#pragma once

/// Exact instruction counts, for differences that noise hides in times.
///
/// A program runs under callgrind with n and with 2n iterations of an operation. The difference is
/// n iterations; all other instructions cancel out. Valgrind supports fewer instructions than the
/// processor, so the program should be built without -march=native.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// `instructions` of one iteration; valid if `problem` is empty.
struct InstructionCount {
  double instructions;
  bool verified;  // true for exit status 0; false for 1, a wrong result
  std::string problem;
};

/// Runs `program` twice. `arguments(n)` makes it run n iterations.
InstructionCount count_instructions(
    const std::string& program, const std::function<std::vector<std::string>(int64_t)>& arguments,
    int64_t n);

/// The instruction count in the output of callgrind; -1 if the output has none.
int64_t callgrind_total(const std::string& output);

}  // namespace bench
