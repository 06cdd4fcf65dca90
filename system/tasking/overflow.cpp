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
  // POSIX does not list snprintf as async-signal-safe. With these formats, glibc's snprintf takes
  // no lock and allocates no memory.
  std::snprintf(sentence.text, sizeof sentence.text,
                "worker %u, running %.*s, overflowed its stack of %zu bytes; raise "
                "--stack_bytes, or keep large objects off the stack",
                worker.number, static_cast<int>(std::min(length, kLongestName)), name,
                worker.stack.bytes());
  return sentence;
}

}  // namespace detail
}  // namespace Grappa
