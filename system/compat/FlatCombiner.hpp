#pragma once

/// The name under which existing Grappa programs include this.

#include "structures/flat_combiner.hpp"
#include "system/compat/global_names.hpp"
