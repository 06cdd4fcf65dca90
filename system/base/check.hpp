#pragma once

/// Checks of contracts and invariants: a false condition aborts the job with a streamed message.
/// GRAPPA_CHECK is evaluated in every build, GRAPPA_DCHECK in debug builds only. In a job, the
/// runtime prints the report (failure/failure.hpp); without a runtime, glog prints it.

#include <cstddef>
#include <cstdint>

#include <glog/logging.h>

namespace Grappa { namespace detail {

[[noreturn]] void refuse_count(int64_t n, const char* what);

/// Converts a signed count, which messages call `what`. A negative count aborts the job.
inline size_t checked_count(int64_t n, const char* what) {
  if (n < 0) refuse_count(n, what);
  return static_cast<size_t>(n);
}

}}  // namespace Grappa::detail

#define GRAPPA_CHECK(condition) CHECK(condition)
#define GRAPPA_DCHECK(condition) DCHECK(condition)
