#pragma once

/// Checks of contracts and invariants: a false condition aborts the job. GRAPPA_CHECK is evaluated
/// in every build, GRAPPA_DCHECK in debug builds only. Both take a streamed error message. In a
/// job, the runtime prints the report (failure/failure.hpp). In a process without a runtime, glog
/// prints the source line and the stack.

#include "system/base/ids.hpp"

#include <cstddef>
#include <cstdint>

#include <glog/logging.h>

namespace Grappa {
namespace detail {

/// The core number that a failed check prints in a process without a runtime; -1 prints none.
extern int failing_core;

/// Aborts the job: `what` was called with a negative number of elements.
[[noreturn]] void refuse_count(int64_t n, const char* what);

/// Converts a number of elements to size_t; aborts the job if `n` is negative. `what` names the
/// called function. Public functions take signed counts: a negative count is then an error, not a
/// huge count.
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
