#pragma once

/// The name under which existing Grappa programs include this.

#include "structures/global_map.hpp"
#include "system/compat/global_names.hpp"
