#pragma once

/// The flag --flat_combining of programs that use a global structure: none, centralized or
/// distributed. If it is not given, --combining of the runtime tells.

#include "structures/combining.hpp"

namespace apps {

/// Ends the job if it names no mode. From: the main task, or main on every core alike.
void check_combining_flag();

/// From: any.
Grappa::Combining combining();

}  // namespace apps
