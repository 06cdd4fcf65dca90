#pragma once

/// Broken promises end the job: GRAPPA_CHECK in every build, GRAPPA_DCHECK in debug builds only.
/// Both take a streamed sentence that says what to do. glog prints the place and the stack.

#include "system/base/ids.hpp"

#include <glog/logging.h>

namespace Grappa {
namespace detail {

/// The core that failure messages name; -1 until the job has started.
extern int failing_core;

struct CorePrefix {};
std::ostream& operator<<(std::ostream& out, CorePrefix);

}  // namespace detail
}  // namespace Grappa

#define GRAPPA_CHECK(condition) CHECK(condition) << ::Grappa::detail::CorePrefix()
#define GRAPPA_DCHECK(condition) DCHECK(condition) << ::Grappa::detail::CorePrefix()
