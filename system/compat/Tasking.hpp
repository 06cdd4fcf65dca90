#pragma once

/// The name under which existing Grappa programs include this.

#include "system/compat/global_names.hpp"
#include "system/parallel/steal.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/spawn.hpp"
