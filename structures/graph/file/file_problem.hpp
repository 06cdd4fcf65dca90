#pragma once

/// A problem in a file of edges: an offset and a message. Only the problem with the smallest offset
/// is reported, so the report does not depend on the number of cores.

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

struct FileProblem {
  int64_t offset = -1;      // byte of the file where the bad line, record or access begins
  std::string sentence;     // one printable line; empty if there is no problem
  bool whole_file = false;  // the offset only orders problems; the message omits it

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
