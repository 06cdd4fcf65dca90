#pragma once

/// Broken promises end the job: GRAPPA_CHECK in every build, GRAPPA_DCHECK in debug builds only.
/// Both take a streamed sentence that says what to do. In a job the runtime makes the report of it
/// (runtime/failure.hpp); in a process without one glog prints the place and the stack.

#include "system/base/ids.hpp"

#include <cstddef>
#include <cstdint>

#include <glog/logging.h>

namespace Grappa {
namespace detail {

/// The core that failed checks name where no runtime does it; -1 for none.
extern int failing_core;

/// Aborts: `what` was called for a negative number of elements.
[[noreturn]] void refuse_count(int64_t n, const char* what);

/// A number of elements that a program gives to `what`. Public functions take it with a sign, so
/// that a negative one is reported, and not taken for a huge one.
inline size_t checked_count(int64_t n, const char* what) {
  if (n < 0) refuse_count(n, what);
  return static_cast<size_t>(n);
}

struct CorePrefix {};
std::ostream& operator<<(std::ostream& out, CorePrefix);

}  // namespace detail
}  // namespace Grappa

#define GRAPPA_CHECK(condition) CHECK(condition) << ::Grappa::detail::CorePrefix()
#define GRAPPA_DCHECK(condition) DCHECK(condition) << ::Grappa::detail::CorePrefix()
