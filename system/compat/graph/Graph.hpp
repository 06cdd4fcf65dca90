#pragma once

/// The name under which existing Grappa programs include this.

#include "structures/graph/graph.hpp"
#include "system/compat/global_names.hpp"
