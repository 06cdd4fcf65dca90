#include "system/failure/failure_report.hpp"

#include "system/base/type_name.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include <unistd.h>

namespace Grappa {
namespace detail {

void FailureReport::begin() {
  length_ = written_ = 0;
  if (topology().locale_members.empty()) {  // init has not discovered it yet
    add("grappa: ");
  } else {
    add("grappa: core %d of %d: ", static_cast<int>(mycore()), static_cast<int>(cores()));
  }
}

void FailureReport::add(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int bytes = std::vsnprintf(text_ + length_, sizeof text_ - length_, format, arguments);
  va_end(arguments);
  if (bytes > 0) length_ = std::min(length_ + static_cast<size_t>(bytes), sizeof text_ - 1);
}

void FailureReport::add_place(const void* code, unsigned most_seconds) {
  char place[512];
  const size_t bytes = place_of_function(code, most_seconds, place, sizeof place);
  if (bytes != 0) add("  [%.*s]", static_cast<int>(bytes), place);
}

void FailureReport::add_worker(const Worker& worker) {
  if (worker.runs == nullptr) return;
  constexpr size_t kLongestName = 400;
  size_t length = 0;
  const char* name = type_name_in(worker.runs, &length);
  add("    in worker %u, which runs %.*s\n", worker.number,
      static_cast<int>(std::min(length, kLongestName)), name);
}

void FailureReport::add_frame(const void* place, const char* name) {
  if (place == last_place_) {
    ++repetitions_;
    return;
  }
  add_repetitions();
  last_place_ = place;
  add("    @ %p %s\n", place, name);
}

void FailureReport::add_repetitions() {
  if (repetitions_ != 0) add("    (%d more times)\n", repetitions_);
  repetitions_ = 0;
}

void FailureReport::add_stack(unsigned most_seconds) {
  const size_t bytes = stack_.describe(most_seconds, text_ + length_, sizeof text_ - 1 - length_);
  length_ += bytes;
  if (bytes != 0) return;
  stack_.for_each(
      [](void* report, const void* place, const char* name) {
        static_cast<FailureReport*>(report)->add_frame(place, name);
      },
      this);
  add_repetitions();
}

void FailureReport::add_rest_of_stack() {
  add_repetitions();
  stack_.for_each_place(
      [](void* report, const void* place) {
        static_cast<FailureReport*>(report)->add_frame(place, "?");
      },
      this);
  add_repetitions();
}

void FailureReport::write() {
  while (written_ < length_) {
    const ssize_t bytes = ::write(STDERR_FILENO, text_ + written_, length_ - written_);
    if (bytes <= 0) return;
    written_ += static_cast<size_t>(bytes);
  }
}

}  // namespace detail
}  // namespace Grappa
