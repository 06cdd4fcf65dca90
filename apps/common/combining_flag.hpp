#pragma once

/// The flag --flat_combining of programs that use a global structure: none, centralized or
/// distributed. The default is the value of the runtime flag --combining.

#include "structures/combining.hpp"

namespace apps {

/// Aborts the job if the flag is not a valid mode. From: the main task, or main on every core.
void check_combining_flag();

/// From: anywhere.
Grappa::Combining combining();

}  // namespace apps
