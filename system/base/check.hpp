#pragma once

/// Broken promises end the job: GRAPPA_CHECK in every build, GRAPPA_DCHECK in debug builds only.
/// Both take a streamed sentence that says what to do. In a job the runtime makes the report of it
/// (runtime/failure.hpp); in a process without one glog prints the place and the stack.

#include "system/base/ids.hpp"

#include <glog/logging.h>

namespace Grappa {
namespace detail {

/// The core that failed checks name where no runtime does it; -1 for none.
extern int failing_core;

struct CorePrefix {};
std::ostream& operator<<(std::ostream& out, CorePrefix);

}  // namespace detail
}  // namespace Grappa

#define GRAPPA_CHECK(condition) CHECK(condition) << ::Grappa::detail::CorePrefix()
#define GRAPPA_DCHECK(condition) DCHECK(condition) << ::Grappa::detail::CorePrefix()
