#pragma once

/// Exact instruction counts, which show differences that are too small to be measured as times.
///
/// A program runs under callgrind with n and with 2n iterations of an operation. The difference of
/// the two counts is that of n iterations; all other instructions cancel out. Valgrind does not
/// support all instructions of the processor, so the program should be built without -march=native.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// `instructions` of one iteration; valid if `problem` is empty.
struct InstructionCount {
  double instructions;
  bool verified;  // true for exit status 0; false for status 1, which means a wrong result
  std::string problem;
};

/// Runs `program` twice. With the flags `arguments(n)`, the program runs n iterations.
InstructionCount count_instructions(
    const std::string& program, const std::function<std::vector<std::string>(int64_t)>& arguments,
    int64_t n);

/// Returns the instruction count in the output of callgrind, or -1 if the output has no count.
int64_t callgrind_total(const std::string& output);

}  // namespace bench
