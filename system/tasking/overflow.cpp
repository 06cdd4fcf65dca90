#include "system/tasking/overflow.hpp"

#include "system/base/type_name.hpp"

#include <algorithm>
#include <cstdio>

namespace Grappa {
namespace detail {

OverflowSentence overflow_sentence(const Worker& worker) {
  constexpr size_t kLongestName = 160;
  size_t length = 0;
  const char* name = worker.runs == nullptr ? "nothing" : type_name_in(worker.runs, &length);
  if (worker.runs == nullptr) length = std::strlen(name);
  OverflowSentence sentence;
  // snprintf is not on the list of what a signal handler may call, but with these formats glibc's
  // takes no lock and no memory.
  std::snprintf(sentence.text, sizeof sentence.text,
                "worker %u, running %.*s, has overflown its stack of %zu bytes; raise "
                "--stack_bytes, or keep large objects off the stack",
                worker.number, static_cast<int>(std::min(length, kLongestName)), name,
                worker.stack.bytes());
  return sentence;
}

}  // namespace detail
}  // namespace Grappa
