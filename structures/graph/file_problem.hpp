#pragma once

/// What is wrong with a file of edges: the place and a sentence. Of several problems the one with
/// the smallest offset is told, so that a message does not depend on the number of cores.

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

struct FileProblem {
  int64_t offset = -1;      // byte of the file where the bad line, record or access begins
  std::string sentence;     // one printable line; empty if there is no problem
  bool whole_file = false;  // the offset orders problems, but tells a reader nothing

  bool found() const { return offset >= 0; }
};

inline FileProblem problem_at(int64_t offset, const std::string& sentence) {
  FileProblem problem;
  problem.offset = offset;
  problem.sentence = sentence;
  return problem;
}

inline FileProblem problem_of_file(int64_t offset, const std::string& sentence) {
  FileProblem problem = problem_at(offset, sentence);
  problem.whole_file = true;
  return problem;
}

}  // namespace detail
}  // namespace Grappa
