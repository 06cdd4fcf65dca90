#pragma once

/// The name under which existing Grappa programs include this.

#include "system/compat/global_names.hpp"
#include "system/observe/metrics.hpp"
