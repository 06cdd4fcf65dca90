#pragma once

/// A header name that existing Grappa programs include.

#include "structures/flat_combiner.hpp"
#include "system/compat/global_names.hpp"
