#pragma once

/// A header name that existing Grappa programs include.

#include "system/compat/global_names.hpp"
#include "system/parallel/delegate_event.hpp"
#include "system/parallel/global_completion_event.hpp"
#include "system/parallel/spawn.hpp"
