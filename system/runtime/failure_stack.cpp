#include "system/runtime/failure_stack.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include <execinfo.h>

namespace google {
// glog exports it, but not in a header: finds names of functions without taking memory.
bool Symbolize(void* place, char* name, size_t bytes);
}  // namespace google

namespace Grappa {
namespace {

constexpr int kMostFrames = 48;
constexpr int kLongestWay = 16;  // of frames between what has failed and this file

bool name_of(void* place, char* name, size_t bytes) {
  // A frame's address is where it goes on; the call before that may be the last of its function.
  if (google::Symbolize(static_cast<char*>(place) - 1, name, bytes)) return true;
  std::strcpy(name, "?");
  return false;
}

/// Between a check and its report: glog, the C and C++ runtimes, and we.
bool is_on_the_way(const char* name) {
  static const char* const kBeginnings[] = {"google::",
                                            "Grappa::fail",
                                            "Grappa::Failure",
                                            "Grappa::(anonymous namespace)::on_",
                                            "Grappa::(anonymous namespace)::end_by",
                                            "Grappa::for_each_",
                                            "__restore_rt",
                                            "raise",
                                            "gsignal",
                                            "pthread_kill",
                                            "__pthread_kill",
                                            "abort",
                                            "std::terminate",
                                            "__cxa_",
                                            "__cxxabiv1::",
                                            "__gxx_"};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings), [name](const char* beginning) {
    return std::strncmp(name, beginning, std::strlen(beginning)) == 0;
  });
}

}  // namespace

void for_each_failed_frame(void (*visit)(void* argument, void* place, const char* name),
                           void* argument) {
  void* frames[kMostFrames];
  const int count = ::backtrace(frames, kMostFrames);
  char name[512];
  int first = 0;
  for (int k = 0; k < std::min(count, kLongestWay); ++k) {
    const bool named = name_of(frames[k], name, sizeof name);
    // What a signal returns to has no name.
    if (named ? is_on_the_way(name) : first > 0 && first == k) first = k + 1;
  }
  for (int k = first; k < count; ++k) {
    name_of(frames[k], name, sizeof name);
    visit(argument, frames[k], name);
  }
}

void prepare_failed_frames() {
  void* frame;
  ::backtrace(&frame, 1);
}

}  // namespace Grappa
